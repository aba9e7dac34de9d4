// Output without a terminal: few lines, each complete in itself, readable in a log.

internal import DrayCore

/// Decides on the plain lines of a log. It has no clock and prints nothing; it returns the lines.
///
/// For up to ten jobs: one line at the start of each, one at every 10 % or after 30 s, one at the end. For more jobs: a
/// line at the end of each, and every 30 s one line for all.
public struct PlainReporter: Sendable {
  private static let mostJobs = 10
  private static let interval = 30.0

  private struct Track: Sendable {
    var state: BarState
    var started: Double
    var spoke: Double
    var tenth: Int
    var received: Int64
  }

  private var tracks: [Int: Track] = [:]
  private var ended: Set<Int> = []
  private var lastSummary: Double?

  public init() {}

  /// Returns the lines to print at `now`, in seconds; usually none.
  ///
  /// A failed or interrupted job has a line only if it has a note. Otherwise the caller prints its message.
  public mutating func lines(for items: [BarItem], totals: Totals? = nil, now: Double) -> [String] {
    let totals = totals ?? Totals(items)
    let isCrowd = totals.count > Self.mostJobs
    var lines = items.compactMap { line(for: $0, inCrowd: isCrowd, now: now) }
    guard isCrowd else { return lines }
    let since = lastSummary ?? now
    if lastSummary == nil || now - since >= Self.interval {
      if lastSummary != nil { lines.append(summary(totals)) }
      lastSummary = now
    }
    return lines
  }

  private mutating func line(for item: BarItem, inCrowd: Bool, now: Double) -> String? {
    guard !ended.contains(item.id) else { return nil }
    if item.state.isFinal {
      let started = tracks.removeValue(forKey: item.id)?.started
      ended.insert(item.id)
      return ending(item, seconds: started.map { now - $0 })
    }
    let tenth = (item.percent ?? 0) / 10
    guard var track = tracks[item.id] else {
      guard item.state == .active || item.state == .sending else { return nil }
      tracks[item.id] = Track(
        state: item.state, started: now, spoke: now, tenth: tenth, received: item.received)
      return inCrowd ? nil : beginning(item)
    }
    defer { tracks[item.id] = track }
    // Count the tenths of a restarted transfer again.
    let changed = item.state != track.state
    if item.received < track.received || changed && item.state == .active { track.tenth = tenth }
    let isSent = changed && track.state == .sending && item.state == .active
    track.state = item.state
    track.received = item.received
    guard !inCrowd else { return nil }
    if isSent { return started(item) }
    switch item.state {
    case .active where tenth > track.tenth || now - track.spoke >= Self.interval,
      .sending where tenth > track.tenth || now - track.spoke >= Self.interval:
      track.tenth = max(tenth, track.tenth)
      track.spoke = now
      return progress(item)
    case .retrying where changed, .paused where changed:
      track.spoke = now
      return prefix(item) + item.state.rawValue + (note(item).map { ": " + $0 } ?? "")
    default: return nil
    }
  }

  /// Returns the first line about a job. The job continues only if its transfer began after the start of the file.
  private func beginning(_ item: BarItem) -> String {
    if item.state == .sending { return prefix(item) + "sending \(item.size.map(ByteCount.text) ?? "")" }
    let size = item.size.map(ByteCount.text) ?? "unknown size"
    // Bytes that were found on this machine are no beginning of a transfer.
    if let start = item.start, let reused = item.reused, start > 0, start <= reused.bytes {
      return started(item) + ", \(reused.words)"
    }
    if let start = item.start, start > 0 {
      return prefix(item) + "continues at \(ByteCount.text(start)) of \(size)"
    }
    if item.start == nil, item.received > 0 {
      return prefix(item) + "under way, \(ByteCount.text(item.received)) of \(size)"
    }
    return started(item)
  }

  private func started(_ item: BarItem) -> String {
    prefix(item) + "started, \(item.size.map(ByteCount.text) ?? "unknown size")"
  }

  private func progress(_ item: BarItem) -> String {
    var parts: [String] = []
    if let percent = item.percent, let size = item.size {
      parts.append("\(percent) % of \(ByteCount.text(size))")
    } else {
      parts.append("\(ByteCount.text(item.received)) of unknown size")
    }
    let word = item.state == .sending ? "sent " : ""
    return prefix(item) + word + withSpeed(parts, rate: item.rate, eta: item.shownETA)
  }

  private func ending(_ item: BarItem, seconds: Double?) -> String? {
    guard item.state == .complete else {
      return note(item).map { prefix(item) + "\(item.state.rawValue): \($0)" }
    }
    return CompletionLine.inLog(item, seconds: seconds)
  }

  private func summary(_ totals: Totals) -> String {
    var parts = [
      "\(totals.active) active", "\(totals.queued) queued", "\(totals.complete) done",
    ]
    if totals.failed > 0 { parts.append("\(totals.failed) failed") }
    if totals.interrupted > 0 { parts.append("\(totals.interrupted) interrupted") }
    if totals.paused > 0 { parts.append("\(totals.paused) paused") }
    if let percent = totals.percent {
      parts.append("\(percent) % of \(ByteCount.text(totals.knownSize))")
    } else {
      parts.append("\(ByteCount.text(totals.received)) of at least \(ByteCount.text(totals.knownSize))")
    }
    if let limit = totals.limit { parts.append("limit \(ByteText.rate(Double(limit)))") }
    return withSpeed(parts, rate: totals.rate, eta: totals.eta)
  }

  private func withSpeed(_ parts: [String], rate: Double?, eta: Double?) -> String {
    let speed = [rate.map(ByteText.rate), eta.map { "ETA " + TimeText.remaining($0) }]
    return (parts + speed.compactMap { $0 }).joined(separator: ", ")
  }

  private func prefix(_ item: BarItem) -> String {
    "[\(item.id)] \(ControlText.printable(item.name)): "
  }

  private func note(_ item: BarItem) -> String? {
    item.note.map(ControlText.printable)
  }
}
