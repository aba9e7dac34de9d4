// The last line of a frame, with the totals of all jobs.

/// Draws the totals: `3 active · 12 queued · 5 done · 1 failed   45 %  1.2/2.6 GiB  85.1 MiB/s  ETA 3 min`.
public enum TotalLine {
  /// Returns the line, at most `width` cells wide. Details are dropped in this order: time left, bytes, limit, rate,
  /// percentage, counts. The limit explains the rate, so it stays nearly as long.
  public static func draw(_ totals: Totals, width: Int, profile: TerminalProfile) -> StyledLine {
    var counts = self.counts(totals, profile: profile)
    var details = self.details(totals, profile: profile)
    // The order of dropping differs from that on the line: bytes are dropped before the rate.
    for worthless in [Detail.eta, .bytes, .limit, .rate, .percent] where needed(counts, details, profile) > width {
      details.removeAll { $0.kind == worthless }
    }
    while counts.count > 1, needed(counts, details, profile) > width { counts.removeLast() }
    return draw(counts, details, width: width, profile: profile)
  }

  private enum Detail { case percent, bytes, rate, limit, eta }
  private typealias Count = (text: String, style: TextStyle?)

  private static func counts(_ totals: Totals, profile: TerminalProfile) -> [Count] {
    let all: [(Int, String, TextStyle?)] = [
      (totals.active, "active", nil),
      (totals.queued, "queued", .dim),
      (totals.complete, "done", .green),
      (totals.failed, "failed", .red),
      (totals.interrupted, "interrupted", .yellow),
      (totals.paused, "paused", .yellow),
    ]
    let some = all.filter { $0.0 > 0 }.map { (text: "\($0.0) \($0.1)", style: $0.2) }
    return some.isEmpty ? [(text: "0 active", style: nil)] : some
  }

  private static func details(
    _ totals: Totals, profile: TerminalProfile
  ) -> [(kind: Detail, text: String)] {
    let bound = totals.unknownSizes == 0 ? "" : profile.unicode ? "≥" : ">="
    var details: [(kind: Detail, text: String)] = []
    if let percent = totals.percent { details.append((.percent, "\(percent) %")) }
    if totals.knownSize > 0 {
      details.append((.bytes, ByteText.pair(totals.received, of: totals.knownSize, bound: bound)))
    }
    if let rate = totals.rate { details.append((.rate, ByteText.rate(rate))) }
    if let limit = totals.limit { details.append((.limit, "limit \(ByteText.rate(Double(limit)))")) }
    if let eta = totals.eta { details.append((.eta, "ETA " + TimeText.remaining(eta))) }
    return details
  }

  private static func separator(_ profile: TerminalProfile) -> String {
    profile.unicode ? " · " : ", "
  }

  private static func needed(
    _ counts: [Count], _ details: [(kind: Detail, text: String)], _ profile: TerminalProfile
  ) -> Int {
    let between = DisplayWidth.of(separator(profile)) * (counts.count - 1)
    let left = counts.reduce(between) { $0 + DisplayWidth.of($1.text) }
    return details.reduce(left) { $0 + 2 + DisplayWidth.of($1.text) } + (details.isEmpty ? 0 : 1)
  }

  private static func draw(
    _ counts: [Count], _ details: [(kind: Detail, text: String)], width: Int, profile: TerminalProfile
  ) -> StyledLine {
    var line = StyledLine()
    for (index, count) in counts.enumerated() {
      if index > 0 { line.append(separator(profile), .dim, profile: profile) }
      let text = TextFit.truncatedEnd(count.text, width: width - line.width, ellipsis: profile.ellipsis)
      line.append(text, count.style, profile: profile)
    }
    for (index, detail) in details.enumerated() {
      line.pad(to: line.width + (index == 0 ? 3 : 2))
      line.append(detail.text, detail.kind == .eta ? .dim : nil, profile: profile)
    }
    return line
  }
}
