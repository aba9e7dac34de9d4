// Draws the page of one job: its progress, its parts, its rate in the course of time, and the page of `dray show`.

internal import DrayKit
internal import TerminalUI

extension WatchScreen {
  private static let graphRows = 4
  /// The maximum width of the graph, which is enough for two minutes.
  private static let widestGraph = 120
  /// The number of empty columns before the graph, if the window is wide enough for them.
  private var indent: Int { columns > 20 ? 2 : 0 }

  func detailLines(_ id: JobID) -> [StyledLine] {
    var lines: [StyledLine] = []
    if let item = state.jobs.item(id, now: now) {
      var line = StyledLine()
      line.pad(to: indent)
      let layout = LineLayout(
        width: columns - indent, longestName: 1, showsConnections: item.connections > 1, longestHost: 0)
      line.append(ProgressLine.draw(unnamed(item), layout: layout, frame: frame, profile: profile))
      lines += [StyledLine(), line]
      if let map = item.map ?? kept(item) {
        var strip = StyledLine()
        strip.pad(to: indent)
        strip.append(map, width: columns - 2 * indent, profile: profile)
        lines.append(strip)
      }
      lines += graph(state.jobs.rates(id))
    }
    lines.append(StyledLine())
    guard let details = state.details, details.id == id else { return lines + [line("  reading …", .dim)] }
    for text in details.lines {
      let isTitle = text.first.map { $0 != " " } ?? false
      for (number, part) in TextFit.wrapped(text, width: max(1, columns), indent: 6).enumerated() {
        lines.append(line(part, isTitle && number == 0 ? .bold : nil))
      }
    }
    return lines
  }

  /// Returns the item without its name, which the title already shows.
  private func unnamed(_ item: BarItem) -> BarItem {
    var item = item
    item.name = item.state == .sending ? "" : " "
    return item
  }

  /// Returns the parts of an incomplete file that are on the disk.
  private func kept(_ item: BarItem) -> FileMap? {
    guard item.state != .complete, let map = state.details?.map, state.details?.id == JobID(item.id), map.size > 0
    else { return nil }
    return map
  }

  private func graph(_ rates: [Double]) -> [StyledLine] {
    guard rates.count > 1, rows > 12 else { return [] }
    let width = min(columns - 16, WatchScreen.widestGraph)
    guard width >= 10 else { return [] }
    let most = rates.suffix(width).max() ?? 0
    let rows = RateGraph.rows(rates, width: width, height: WatchScreen.graphRows, unicode: profile.unicode)
    return [StyledLine()]
      + rows.enumerated().map { number, text in
        var line = StyledLine()
        line.pad(to: indent)
        line.append(text, .cyan, profile: profile)
        if number == 0 { line.append("  " + ByteText.rate(most), .dim, profile: profile) }
        if number == WatchScreen.graphRows - 1 {
          line.append("  \(min(rates.count, width)) s", .dim, profile: profile)
        }
        return line
      }
  }
}
