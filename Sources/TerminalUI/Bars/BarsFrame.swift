// A whole frame: the jobs that fit, a count of the rest, the total.

/// Draws what the live display shows at one instant.
public enum BarsFrame {
  /// The most bars shown, however tall the window is.
  public static let mostBars = 20

  /// The lines of a frame.
  ///
  /// If all items fit, each keeps its line, finished ones too, so that nothing jumps; one alone that several connections
  /// fetch has a second line, which shows its parts. If they do not, those in progress are shown, in the order given, and the rest is counted.
  ///
  /// `totals` are the sums for the last line, of `items` if nil; with only one job it is omitted. No line
  /// is wider than `width`, and of `height` rows one is left free for the cursor, though the frame takes one at
  /// least. `frame` is the frame's number: it moves the bars of jobs of unknown size.
  public static func draw(
    items: [BarItem], totals: Totals? = nil, width: Int, height: Int, frame: Int = 0,
    profile: TerminalProfile
  ) -> [StyledLine] {
    let totals = totals ?? Totals(items)
    let budget = max(1, height - 1)
    let showsTotal = totals.count > 1
    let rows = min(mostBars, showsTotal ? budget - 1 : budget)

    let candidates = items.count <= rows ? items : items.filter(\.state.isLive)
    // One row says how many do not fit; a single row is better used for a job.
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

  /// The parts of the one job that several connections fetch, below its line.
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

  /// Rows that must be free for a line that is not a job's.
  private static let leastRoom = 4
  /// A wider strip is not easier to read.
  private static let widestStrip = 120
}
