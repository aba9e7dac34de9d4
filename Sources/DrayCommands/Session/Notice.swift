// The messages about events, in one table.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

struct Notice: Equatable {
  enum Level: Equatable {
    /// A message about a failure. It is always shown.
    case failure
    /// A message that is worth knowing. It is shown unless `-q` is given.
    case notice
    /// A message that is shown only with `-v`.
    case detail
  }

  /// If a server asks for a wait of at least this many seconds, the message says when the wait ends.
  private static let longWait: Int64 = 60

  var level: Level
  /// The text before it is escaped. Printing escapes the text.
  var text: String

  /// Creates the message about an event. For most events the result is `nil`.
  /// - Parameter details: Whether details are shown. If they are not, their texts are not made, which would take time.
  init?(_ event: JobEvent, details: Bool = true) {
    switch event.kind {
    case .started: return nil
    case .response where !details: return nil
    default: break
    }
    let mark = "[\(event.id)] "
    switch event.kind {
    case .added, .started, .interrupted(nil): return nil
    case .redirected(let status, let from, let to):
      (level, text) = (.detail, "\(mark)\(status): \(from) → \(to)")
    case .response(let response, let from, let size):
      (level, text) = (.detail, mark + Notice.words(response, from: from, size: size))
    case .restarted(let reason) where reason.isPartial:
      (level, text) = (.notice, mark + reason.text)
    case .restarted(let reason):
      (level, text) = (.notice, mark + Advice.line(JobNote.startedOver(reason), reason.advice))
    case .damaged(let bytes):
      (level, text) = (
        .notice, "\(mark)\(ByteText.size(bytes)) of the part file are damaged; they are fetched again"
      )
    case .adopted(let adoption):
      guard let summary = adoption.summary else { return nil }
      (level, text) = (.notice, mark + summary)
    case .seeded(let seeding):
      let names = seeding.files.map(PathText.name).joined(separator: ", ")
      (level, text) =
        seeding.summary.map { (.notice, mark + Advice.line($0, seeding.outcome?.advice)) }
        ?? (.detail, "\(mark)looking for parts of the file in \(names)")
    case .mirrorDropped(let mirror, let reason):
      (level, text) = (.notice, "\(mark)the mirror \(mirror) is not used: \(reason)")
    case .interfaceChanged(let name, let problem?):
      (level, text) = (.notice, "\(mark)\(name) is not used for now: \(problem)")
    case .interfaceChanged(let name, nil):
      (level, text) = (.notice, "\(mark)\(name) is used again")
    case .connectionsLimited(let time):
      let moment = TimeStamp.moment(time, now: event.time)
      (level, text) = (.notice, "\(mark)one connection until \(moment): several got different versions of the file")
    case .linkRenewed(let source, let status):
      (level, text) = (
        .notice, "\(mark)link expired (\(StatusRule.name(of: status))); \(SourceReference.shown(source)) gave a new one"
      )
    case .retrying(let failure, let delay) where failure.retryAfter ?? 0 >= Notice.longWait:
      let time = TimeStamp.moment(event.time + delay, now: event.time)
      // Without a job (`-o -`), there is nothing to resume.
      let advice = event.id == 0 ? "" : "; `dray resume \(event.id)` asks now"
      (level, text) = (
        .notice, "\(mark)retrying at \(time), as the server asks: \(failure.subject): \(failure.reason)\(advice)"
      )
    case .retrying(let failure, let delay):
      (level, text) = (.notice, "\(mark)retrying in \(TimeText.delay(delay)): \(failure.subject): \(failure.reason)")
    // The run reports a share that does not work only once for all its jobs.
    case .waiting(_, _, let share?): (level, text) = (.detail, "\(mark)handed back: \(share) does not work here")
    case .waiting(let opening, let queue, nil):
      let time = opening.map { ": continues at \(TimeStamp.moment($0, now: event.time))" } ?? ""
      let reason = queue.map { "queue \(TextSafety.escaped($0)) is closed" } ?? "outside its window"
      (level, text) = (.notice, "\(mark)\(reason)\(time)")
    case .interrupted(var failure?) where failure.retryAfter ?? 0 > 0:
      let wait = Double(failure.retryAfter ?? 0)
      failure.reason += " (until \(TimeStamp.moment(event.time + wait, now: event.time)))"
      (level, text) = (.failure, mark + failure.message)
    case .interrupted(let failure?), .failed(let failure):
      // A failure that concerns every job of a name shows no job number.
      (level, text) = (.failure, (failure.isOfName == true ? "" : mark) + failure.message)
    case .paused: (level, text) = (.notice, "\(mark)paused")
    case .removed: (level, text) = (.notice, "\(mark)removed")
    case .upToDate(let path, isEdited: false): (level, text) = (.notice, "\(mark)up to date: \(path)")
    case .upToDate(let path, isEdited: true):
      let advice = "--on-conflict overwrite fetches it again"
      (level, text) = (.notice, "\(mark)up to date on the server, but changed here: \(path) stays; \(advice)")
    case .skipped(let path): (level, text) = (.notice, "\(mark)skipped: \(path) already exists")
    case .completeWithoutFile(let note): (level, text) = (.notice, mark + note)
    case .hook(let report):
      guard let words = Notice.words(report) else { return nil }
      (level, text) = (report.problem == nil ? .detail : .notice, "\(mark)hook \(report.program)\(words)")
    case .complete(let path, _, _, let note):
      // Another message has already reported that the job started over.
      guard let note = note.flatMap(JobNote.withoutStartOver) else { return nil }
      (level, text) = (.notice, "\(mark)\(path): \(note)")
    }
  }

  /// Whether the last line about a job already contains the event. That is true for the note of a job without a file.
  static func isInLastLine(_ kind: JobEvent.Kind) -> Bool {
    if case .completeWithoutFile = kind { true } else { false }
  }

  /// Whether the bar of a job already shows the event, as it does for a retry after a short pause, whose seconds it
  /// counts.
  static func isInBar(_ kind: JobEvent.Kind) -> Bool {
    guard case .retrying(let failure, let delay) = kind else { return false }
    return delay > 0 && failure.retryAfter ?? 0 < longWait
  }

  /// Returns a text with the problem of a hook and the hook's output; `nil` if there is neither.
  private static func words(_ report: HookReport) -> String? {
    let output = report.output.isEmpty ? "" : ": " + report.output.joined(separator: " | ")
    if let problem = report.problem { return ": \(problem)\(output); the file is not affected" }
    return output.isEmpty ? nil : output
  }

  private static func words(_ response: ResponseRecord, from: Int64, size: Int64?) -> String {
    let head = response.head
    var parts = [SafeHead.statusLine(head), response.finalURL.description]
    parts.append(size.map { "\($0) bytes" } ?? "length unknown")
    if from > 0 { parts.append("from byte \(from)") }
    for name in ["content-type", "etag", "last-modified", "server"] {
      if let value = head.first(name) { parts.append("\(name): \(value)") }
    }
    return parts.joined(separator: ", ")
  }
}
