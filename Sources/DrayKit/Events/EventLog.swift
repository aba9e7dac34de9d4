// Writes the events of jobs to a log: that of the program that uses the library, or of `dray serve`.

internal import Logging

/// Logs the steps of jobs: a short message, and the facts as metadata. URLs are written without secrets.
struct EventLog: Sendable {
  let log: Logger
  let names: Advice.Names

  /// - Parameter names: The names of actions and settings in failures.
  init(_ log: Logger, _ names: Advice.Names = .plain) { (self.log, self.names) = (log, names) }

  func write(_ event: JobEvent) {
    guard let line = EventLog.line(event, names), log.logLevel <= line.level else { return }
    var metadata: Logger.Metadata = ["job": "\(event.id)"]
    for (key, text) in line.facts { metadata[key] = .string(TextSafety.escaped(text)) }
    log.log(level: line.level, "\(line.message)", metadata: metadata)
  }

  struct Line: Equatable {
    var level: Logger.Level
    var message: String
    var facts: [String: String] = [:]
  }

  /// Returns the line of an event; `nil` for events that only a display needs.
  static func line(_ event: JobEvent, _ names: Advice.Names = .plain) -> Line? {
    let time = event.time
    return switch event.kind {
    case .added: nil
    case .started(let attempt, _, _): Line(level: .debug, message: "attempt started", facts: ["attempt": "\(attempt)"])
    case .redirected(let status, let from, let to):
      Line(level: .debug, message: "redirected", facts: ["status": "\(status)", "from": "\(from)", "to": "\(to)"])
    case .response(let response, let from, let size):
      Line(
        level: .debug, message: "answered",
        facts: ["status": "\(response.head.status)", "from": "\(from)", "bytes": size.map(String.init) ?? "unknown"])
    case .restarted(let reason): Line(level: .notice, message: "started over", facts: ["reason": reason.text])
    case .damaged(let bytes):
      Line(level: .notice, message: "damaged bytes are fetched again", facts: ["bytes": "\(bytes)"])
    case .adopted(let adoption):
      adoption.summary.map { Line(level: .info, message: "partial file compared", facts: ["result": $0]) }
    case .seeded(let seeding):
      seeding.summary.map { Line(level: .info, message: "seeds were read", facts: ["result": $0]) }
    case .mirrorDropped(let url, let reason):
      Line(level: .notice, message: "mirror dropped", facts: ["mirror": "\(url)", "reason": reason])
    case .interfaceChanged(let name, let problem):
      Line(
        level: .notice, message: problem == nil ? "interface used again" : "interface not used for now",
        facts: facts(["interface": name, "reason": problem]))
    case .connectionsLimited(let time):
      Line(level: .notice, message: "one connection, after different versions", facts: ["until": "\(Int(time))"])
    case .linkRenewed(let source, let status):
      Line(
        level: .info, message: "link renewed", facts: ["source": SourceReference.shown(source), "status": "\(status)"])
    case .retrying(let failure, let delay):
      Line(
        level: .info, message: "retrying", facts: ["error": failure.description, "seconds": "\(Int(delay.rounded()))"])
    case .waiting(_, _, let share?):
      Line(level: .notice, message: "handed back: its share does not work here", facts: ["share": share])
    case .waiting(let opening, let queue, nil):
      Line(
        level: .info, message: queue == nil ? "outside its window" : "queue is closed",
        facts: facts(["queue": queue, "seconds": opening.map { "\(Int(max(0, $0 - time).rounded()))" }]))
    case .interrupted(nil): Line(level: .info, message: "interrupted")
    case .interrupted(let failure?):
      Line(level: .warning, message: "interrupted", facts: ["error": failure.message(names)])
    case .paused: Line(level: .info, message: "paused")
    case .removed: Line(level: .info, message: "removed")
    case .skipped(let path): Line(level: .info, message: "skipped: the target exists", facts: ["path": path])
    case .upToDate(let path, let isEdited):
      Line(level: .info, message: "up to date", facts: isEdited ? ["path": path, "edited": "true"] : ["path": path])
    case .failed(let failure): Line(level: .warning, message: "failed", facts: ["error": failure.message(names)])
    case .complete(let path, let size, let digest, _):
      Line(
        level: .info, message: "complete",
        facts: facts(["path": path, "bytes": "\(size)", "digest": digest.map { "\($0.digest)" }]))
    case .completeWithoutFile(let note): Line(level: .info, message: "complete", facts: ["note": note])
    case .hook(let report): line(report)
    }
  }

  /// Returns the line of a hook; `nil` if it succeeded and printed nothing.
  private static func line(_ report: HookReport) -> Line? {
    let output = report.output.isEmpty ? nil : report.output.joined(separator: " | ")
    let facts = facts(["hook": report.program, "reason": report.problem, "output": output])
    if report.problem != nil { return Line(level: .warning, message: "hook failed", facts: facts) }
    return output.map { _ in Line(level: .info, message: "hook finished", facts: facts) }
  }

  private static func facts(_ known: [String: String?]) -> [String: String] { known.compactMapValues(\.self) }
}
