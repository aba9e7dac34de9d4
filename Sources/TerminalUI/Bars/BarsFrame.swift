// Draws a whole frame: the jobs that fit, the number of the others, the totals.

public enum BarsFrame {
  /// The maximum number of bars, however tall the window is.
  public static let mostBars = 20

  /// Returns the lines of a frame.
  ///
  /// If all items fit, each keeps its line, even when finished, so that nothing jumps. A single job with several
  /// connections has a second line for its parts. If not all items fit, those in progress are shown in the given order,
  /// and the others are counted.
  ///
  /// The last line has `totals`, by default the sums of `items`; with only one job it is omitted, unless a limit is in
  /// force. No line is wider than `width`. One of `height` rows stays free for the cursor, but the frame has at least one row. `frame` is the number
  /// of the frame, which moves the bars of jobs of unknown size.
  public static func draw(
    items: [BarItem], totals: Totals? = nil, width: Int, height: Int, frame: Int = 0,
    profile: TerminalProfile
  ) -> [StyledLine] {
    let totals = totals ?? Totals(items)
    let budget = max(1, height - 1)
    let showsTotal = totals.count > 1 || totals.limit != nil && !items.isEmpty
    let rows = min(mostBars, showsTotal ? budget - 1 : budget)

    let candidates = items.count <= rows ? items : items.filter(\.state.isLive)
    // The last row counts the jobs that do not fit. A single row is better used for a job.
    let shown = candidates.count <= rows ? candidates.count : rows > 1 ? rows - 1 : rows
    let layout = LineLayout(width: width, items: candidates.prefix(shown))
    var lines = candidates.prefix(shown).map {
      ProgressLine.draw($0, layout: layout, frame: frame, profile: profile)
    }
    if let strip = strip(candidates, room: rows - shown, layout: layout, profile: profile) { lines.append(strip) }
    if candidates.count > shown, rows > 1 {
      let more = "\(profile.ellipsis) and \(candidates.count - shown) more active"
      var line = StyledLine()
      line.append(
        TextFit.truncatedEnd(more, width: width, ellipsis: profile.ellipsis), .dim, profile: profile)
      lines.append(line)
    }
    if showsTotal { lines.append(TotalLine.draw(totals, width: width, profile: profile)) }
    return lines
  }

  /// Returns the parts of a single job with several connections, for the line below it.
  private static func strip(
    _ items: [BarItem], room: Int, layout: LineLayout, profile: TerminalProfile
  ) -> StyledLine? {
    guard room >= leastRoom, items.count == 1, let item = items.first, let map = item.map, item.state == .active,
      map.fetching.count > 1, layout.bar > 0
    else { return nil }
    var line = StyledLine()
    line.pad(to: layout.id > 0 ? layout.id + layout.gap : 0)
    line.append(map, width: min(layout.width, widestStrip) - line.width, profile: profile)
    return line
  }

  /// The minimum number of free rows for the line of parts.
  private static let leastRoom = 4
  /// The maximum width; a wider strip is not easier to read.
  private static let widestStrip = 120
}
