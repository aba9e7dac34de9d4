// `dray serve --status` and `--stop`.

internal import DrayKit
internal import DrayStore
internal import Posix

enum ServiceReport {
  static func status(_ state: ServiceLock.State, isJSON: Bool) -> ExitStatus {
    let output = ResultOutput.standard
    switch state {
    case .running(let record):
      output.write(isJSON ? record.json + "\n" : lines(record).map { $0 + "\n" }.joined())
      return .success
    case .starting:
      Messages.print("dray serve is starting or ending")
      return .other
    case .none:
      Messages.print("dray serve does not run; `dray serve --detach` starts it")
      return .other
    }
  }

  static func lines(_ record: ServiceRecord) -> [String] {
    let since = TimeStamp.text(Double(record.startedAt))
    var lines = ["dray \(record.version) serves since \(since) (process \(record.pid))"]
    lines += record.listening.map { "  listens at \($0.hasPrefix("/") ? $0 : "http://\($0)/")" }
    lines.append("  secret: \(record.secretText)")
    lines.append("  files go below \(record.roots.joined(separator: ", ")); by default into \(record.directory)")
    if let log = record.log { lines.append("  log: \(log)") }
    return lines.map(TextSafety.escaped)
  }

  /// Ends a service, and waits until it has ended.
  static func stop(_ home: StateDirectory) async throws -> ExitStatus {
    var asked: Int32?
    while true {
      switch ServiceLock.look(home) {
      case .none:
        Messages.print(asked == nil ? "dray serve does not run" : "dray serve has ended")
        return .success
      case .starting: break
      case .running(let record):
        guard asked != record.pid else { break }
        do throws(SystemError) {
          try System.askToEnd(record.pid)
        } catch {
          throw Failure(.other, "dray serve", "process \(record.pid) cannot be ended: \(error.text)")
        }
        asked = record.pid
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
