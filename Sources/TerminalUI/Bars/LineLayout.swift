// Which details a line has room for. Decided once per frame, so that the columns of all lines are aligned.

/// Widths of the columns of a progress line; 0 for a column that is omitted.
///
/// As the window narrows, columns are dropped in this order: server, elapsed time, connections, time left, bytes, bar, number,
/// rate, name. The percent (or, in its place, one word of state) is the last to go. What a wide window has beyond all of them
/// makes the bar longer.
public struct LineLayout: Sendable, Hashable {
  /// Columns a line may use.
  public let width: Int
  let gap: Int
  /// The job's number, before the name.
  let id: Int
  let name: Int
  let bar: Int
  let percent: Int
  let bytes: Int
  let rate: Int
  let eta: Int
  let connections: Int
  let elapsed: Int
  let host: Int

  private static let percentWidth = 5
  private static let rateWidth = 10
  private static let bytesWidth = 13
  private static let etaWidth = 10
  /// `×64`.
  private static let connectionsWidth = 3
  /// `2 h 05`.
  private static let elapsedWidth = 6
  private static let widestHost = 32
  /// The widest bar, while a third of the line is less.
  private static let widestBar = 32
  /// A name cut shorter than this no longer distinguishes jobs; other columns are dropped first.
  public static let leastName = 12

  /// The layout for lines of at most `width` columns whose longest name takes `longestName`; numbers, connections, elapsed
  /// times and servers have a column if there are any to show.
  public init(
    width: Int, longestName: Int, showsConnections: Bool = false, longestID: Int = 0, showsElapsed: Bool = false,
    longestHost: Int = 0, leastName: Int = LineLayout.leastName
  ) {
    self.width = max(0, width)
    gap = width < 40 ? 1 : 2
    let longestName = max(1, longestName)
    var room = self.width - Self.percentWidth
    guard room >= gap + 3 else {
      (id, name, bar, bytes, rate, eta, connections, elapsed, host) = (0, 0, 0, 0, 0, 0, 0, 0, 0)
      percent = min(self.width, Self.percentWidth)
      return
    }
    percent = Self.percentWidth
    room -= gap
    let least = min(longestName, leastName)
    let gap = gap
    // Gives a column its space, if a name of reasonable length still fits.
    func take(_ wanted: Int) -> Int {
      guard room - wanted - gap >= least else { return 0 }
      room -= wanted + gap
      return wanted
    }
    rate = take(Self.rateWidth)
    id = rate > 0 && longestID > 0 ? take(longestID) : 0
    var bar = rate > 0 && (id > 0 || longestID == 0) ? take(Bar.minimumWidth) : 0
    bytes = bar > 0 ? take(Self.bytesWidth) : 0
    eta = bytes > 0 ? take(Self.etaWidth) : 0
    connections = eta > 0 && showsConnections ? take(Self.connectionsWidth) : 0
    // These are worth less than the whole name and a good bar.
    let comfort = min(longestName, width / 3) + Self.widestBar - Bar.minimumWidth
    func takeExtra(_ wanted: Int) -> Int { room - wanted - gap >= comfort ? take(wanted) : 0 }
    elapsed = eta > 0 && showsElapsed ? takeExtra(Self.elapsedWidth) : 0
    host = elapsed > 0 && longestHost > 0 ? takeExtra(min(longestHost, Self.widestHost)) : 0

    // What is left is shared: a name of up to a third of the line, then the bar, then the name again.
    let fair = min(longestName, max(least, width / 3), room)
    if bar > 0 {
      let growth = min(max(Self.widestBar, width / 3) - bar, room - fair)
      bar += growth
      room -= growth
    }
    self.bar = bar
    name = min(longestName, room)
  }

  /// The layout for `items`: the longest of each column sets its width.
  public init(width: Int, items: some Collection<BarItem>) {
    let longest = items.lazy.map { $0.nameWidth }.max() ?? 0
    self.init(
      width: width, longestName: longest, showsConnections: items.contains { $0.connections > 1 },
      longestID: items.lazy.map { $0.id == 0 ? 0 : "\($0.id)".utf8.count }.max() ?? 0,
      showsElapsed: items.contains { $0.elapsed != nil },
      longestHost: items.lazy.map { $0.host.map { DisplayWidth.of(ControlText.printable($0)) } ?? 0 }.max() ?? 0)
  }

  /// Columns at the end of a line that a word of state may take: those of rate and time left together.
  var tail: Int {
    rate == 0 ? 0 : rate + (eta == 0 ? 0 : gap + eta)
  }
}
