// The columns of a progress line, decided once per frame so that the columns of all lines are aligned.

/// The widths of a progress line's columns; 0 for an omitted column.
///
/// As the window narrows, columns are dropped in this order: server, elapsed time, connections, time left, bytes, bar,
/// number, rate, name. The percentage (or a word of state in its place) is the last to go. A wider window makes the bar
/// longer.
public struct LineLayout: Sendable, Hashable {
  /// The maximum width of a line.
  public let width: Int
  let gap: Int
  /// The width of the job's number, before the name.
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
  /// The width of `×64`.
  private static let connectionsWidth = 3
  /// The width of `2 h 05`.
  private static let elapsedWidth = 6
  private static let widestHost = 32
  /// The maximum width of the bar, unless a third of the line is more.
  private static let widestBar = 32
  /// The minimum width of a cut name. Shorter ones no longer distinguish jobs, so other columns are dropped first.
  public static let leastName = 12

  /// Creates the layout for lines of at most `width` cells, whose longest name has `longestName`. Numbers, connections,
  /// elapsed times and servers have a column if there are any. The lines of a full screen reach its right edge
  /// (`fills`): the bar takes the rest.
  public init(
    width: Int, longestName: Int, showsConnections: Bool = false, longestID: Int = 0, showsElapsed: Bool = false,
    longestHost: Int = 0, leastName: Int = LineLayout.leastName, fills: Bool = false
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
    // Gives a column its width if a name of reasonable length still fits.
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
    // Add these columns only if a name of up to a third of the line and a bar of `widestBar` cells still have room.
    let comfort = min(longestName, width / 3) + Self.widestBar - Bar.minimumWidth
    func takeExtra(_ wanted: Int) -> Int { room - wanted - gap >= comfort ? take(wanted) : 0 }
    elapsed = eta > 0 && showsElapsed ? takeExtra(Self.elapsedWidth) : 0
    host = (showsElapsed ? elapsed : eta) > 0 && longestHost > 0 ? takeExtra(min(longestHost, Self.widestHost)) : 0

    // The remaining width is shared: a name of up to a third of the line, then the bar, then the rest of the name.
    let fair = min(longestName, max(least, width / 3), room)
    if bar > 0 {
      let growth = min(max(Self.widestBar, width / 3) - bar, room - fair)
      bar += growth
      room -= growth
    }
    name = min(longestName, room)
    self.bar = fills && bar > 0 ? bar + room - name : bar
  }

  /// Creates the layout for `items`. The longest text of each column determines its width.
  public init(width: Int, items: some Collection<BarItem>) {
    let longest = items.lazy.map { $0.nameWidth }.max() ?? 0
    self.init(
      width: width, longestName: longest, showsConnections: items.contains { $0.connections > 1 },
      longestID: items.lazy.map { $0.id == 0 ? 0 : "\($0.id)".utf8.count }.max() ?? 0,
      showsElapsed: items.contains { $0.elapsed != nil },
      longestHost: items.lazy.map { $0.remark.map(DisplayWidth.of) ?? 0 }.max() ?? 0)
  }

  /// Whether a bar leaves too little room for a reason.
  var isNarrow: Bool { width < 100 }

  /// The width for a word of state at the end of a line: the widths of the rate and the time left together.
  var tail: Int {
    rate == 0 ? 0 : rate + (eta == 0 ? 0 : gap + eta)
  }
}
