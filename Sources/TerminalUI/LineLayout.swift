// Which details a line has room for. Decided once per frame, so that the columns of all lines are aligned.

/// Widths of the columns of a progress line; 0 for a column that is omitted.
///
/// As the window narrows, columns are dropped in this order: connections, time left, bytes, bar, rate, name. The percent
/// (or, in its place, one word of state) is the last to go.
public struct LineLayout: Sendable, Hashable {
  /// Columns a line may use.
  public let width: Int
  let gap: Int
  let name: Int
  let bar: Int
  let percent: Int
  let bytes: Int
  let rate: Int
  let eta: Int
  let connections: Int

  private static let percentWidth = 5
  private static let rateWidth = 10
  private static let bytesWidth = 13
  private static let etaWidth = 10
  /// `×64`.
  private static let connectionsWidth = 3
  private static let widestBar = 32
  /// A name cut shorter than this no longer distinguishes jobs; other columns are dropped first.
  private static let leastName = 12

  /// The layout for lines of at most `width` columns whose longest name takes `longestName`; the connections have a
  /// column if there are any to show.
  public init(width: Int, longestName: Int, showsConnections: Bool = false) {
    self.width = max(0, width)
    gap = width < 40 ? 1 : 2
    let longestName = max(1, longestName)
    var room = self.width - Self.percentWidth
    guard room >= gap + 3 else {
      (name, bar, bytes, rate, eta, connections) = (0, 0, 0, 0, 0, 0)
      percent = min(self.width, Self.percentWidth)
      return
    }
    percent = Self.percentWidth
    room -= gap
    let least = min(longestName, Self.leastName)
    let gap = gap
    // Gives a column its space, if a name of reasonable length still fits.
    func take(_ wanted: Int) -> Int {
      guard room - wanted - gap >= least else { return 0 }
      room -= wanted + gap
      return wanted
    }
    rate = take(Self.rateWidth)
    var bar = rate > 0 ? take(Bar.minimumWidth) : 0
    bytes = bar > 0 ? take(Self.bytesWidth) : 0
    eta = bytes > 0 ? take(Self.etaWidth) : 0
    connections = eta > 0 && showsConnections ? take(Self.connectionsWidth) : 0

    // What is left is shared: a name of up to a third of the line, then the bar, then the name again.
    let fair = min(longestName, max(least, width / 3), room)
    if bar > 0 {
      let growth = min(Self.widestBar - bar, room - fair)
      bar += growth
      room -= growth
    }
    self.bar = bar
    name = min(longestName, room)
  }

  /// The layout for `items`: their longest name sets the width of the first column.
  public init(width: Int, items: some Collection<BarItem>) {
    let longest = items.lazy.map { $0.nameWidth }.max() ?? 0
    self.init(width: width, longestName: longest, showsConnections: items.contains { $0.connections > 1 })
  }

  /// Columns at the end of a line that a word of state may take: those of rate and time left together.
  var tail: Int {
    rate == 0 ? 0 : rate + (eta == 0 ? 0 : gap + eta)
  }
}
