// The results of a command line of aria2c: the table that aria2 prints, and its exit status.

internal import DrayKit
internal import DrayServer
internal import Synchronization

final class AriaResults: Sendable {
  /// The results of the command line that is running; `nil` if the program was not called as `aria2c`.
  @TaskLocal static var current: AriaResults?

  /// The outcome of a download, in aria2's words.
  enum Outcome: String, CaseIterable {
    case complete = "OK"
    case failed = "ERR"
    case inProgress = "INPR"
    case removed = "RM"

    fileprivate var legend: String {
      switch self {
      case .complete: "(OK):download completed."
      case .failed: "(ERR):error occurred."
      case .inProgress: "(INPR):download in-progress."
      case .removed: "(RM):download removed."
      }
    }
  }

  struct Row: Equatable {
    var id: JobID
    var outcome: Outcome
    /// The path of the file, or the URL if the file has no path.
    var name: String
    /// The average rate in bytes per second.
    var rate: Int64 = 0
  }

  private struct State {
    var rows: [JobID: Row] = [:]
    /// For each job, the time and the position at which it began to receive.
    var starts: [JobID: (time: Double, position: Int64)] = [:]
    /// The jobs to fetch, including those that have not begun.
    var jobs: Set<JobID> = []
    var failure: Failure?
  }

  private let state = Mutex(State())

  /// The rows of the table, in the order of the jobs.
  var rows: [Row] { state.withLock { $0.rows.values.sorted { $0.id < $1.id } } }

  /// Returns the jobs of the line that had to be fetched: all of them if `all` is true, otherwise only the unfinished
  /// ones.
  func jobs(all: Bool) -> [JobID] {
    state.withLock { state in
      state.jobs.filter { all || state.rows[$0]?.outcome != .complete && state.rows[$0]?.outcome != .removed }.sorted()
    }
  }

  /// Whether the downloads of the line were accepted.
  var isAccepted: Bool { state.withLock { !$0.jobs.isEmpty || !$0.rows.isEmpty } }

  func add(_ id: JobID) { state.withLock { _ = $0.jobs.insert(id) } }

  func record(_ event: JobEvent) {
    state.withLock { state in
      switch event.kind {
      case .started: state.starts[event.id] = state.starts[event.id] ?? (time: event.time, position: 0)
      case .response(let response, let position, _):
        state.starts[event.id]?.position = position
        state.rows[event.id] = Row(id: event.id, outcome: .inProgress, name: response.finalURL.description)
      case .complete(let path, let size, _, _):
        var row = Row(id: event.id, outcome: .complete, name: path)
        if let start = state.starts[event.id] {
          // The minimum avoids an endless rate for a file that is received at once.
          let seconds = max(0.001, event.time - start.time)
          row.rate = Int64(saturating: Double(max(0, size - start.position)) / seconds)
        }
        state.rows[event.id] = row
      case .completeWithoutFile: state.rows[event.id] = Row(id: event.id, outcome: .complete, name: "")
      case .skipped(let path), .upToDate(let path, _):
        state.rows[event.id] = Row(id: event.id, outcome: .complete, name: path)
      case .failed(let failure), .interrupted(let failure?):
        state.failure = failure
        state.rows[event.id] = Row(id: event.id, outcome: .failed, name: failure.subject)
      case .interrupted(nil), .paused:
        state.rows[event.id] = Row(id: event.id, outcome: .inProgress, name: state.rows[event.id]?.name ?? "")
      case .removed: state.rows[event.id] = Row(id: event.id, outcome: .removed, name: "")
      default: break
      }
    }
  }

  /// Records a file that was already complete before this run.
  func record(complete path: String, _ id: JobID) {
    state.withLock { $0.rows[id] = Row(id: id, outcome: .complete, name: path) }
  }

  func record(_ failure: Failure) { state.withLock { $0.failure = failure } }

  /// Translates dray's exit status into aria2's: the status of the last failure.
  func exitStatus(_ status: ExitStatus) -> Int32 {
    guard status != .success else { return 0 }
    let failure = state.withLock { $0.failure }
    if status.isStop, failure == nil { return Int32(Aria2ErrorCode.unfinished.rawValue) }
    let kind = Failure.Kind.allCases.first { $0.exitStatus == status } ?? .other
    return Int32(Aria2ErrorCode(failure ?? Failure(kind, "", "")).rawValue)
  }

  // MARK: The table

  /// Returns the table that aria2 prints.
  /// - Parameter form: The value of `--download-result`.
  /// - Returns: The table; empty for `hide`, and if there are no downloads.
  func table(_ form: String) -> String {
    let rows = rows
    guard form != "hide", !rows.isEmpty else { return "" }
    let isFull = form == "full"
    var text = "\nDownload Results:\ngid   |stat|avg speed  |\(isFull ? "  %|" : "")path/URI\n"
    text += "======+====+===========+\(isFull ? "===+" : "")" + String(repeating: "=", count: isFull ? 51 : 55) + "\n"
    for row in rows {
      let percent = isFull ? (row.outcome == .complete ? "100|" : "  -|") : ""
      text += "\(AriaResults.gid(row.id))|\(AriaResults.padded(row.outcome.rawValue, 4))|"
      text += AriaResults.padded(AriaResults.size(row.rate) + "/s", -11)
      text += "|\(percent)\(TextSafety.escaped(row.name))\n"
    }
    let legend = Outcome.allCases.filter { outcome in rows.contains { $0.outcome == outcome } }.map(\.legend)
    return text + "\nStatus Legend:\n" + legend.joined() + "\n"
  }

  /// Returns six hexadecimal digits, to which aria2 shortens its identifiers.
  static func gid(_ id: JobID) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// Pads a text with spaces: on the right, or on the left if the width is negative.
  private static func padded(_ text: String, _ width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? blanks + text : text + blanks
  }

  /// Returns a number of bytes as aria2 writes it: `912B`, `1.1MiB`, `150MiB`.
  static func size(_ bytes: Int64) -> String {
    let units = ["", "Ki", "Mi", "Gi"]
    var (whole, rest, unit) = (max(0, bytes), Int64(0), 0)
    while whole >= 1024, unit + 1 < units.count {
      (rest, whole) = (whole % 1024, whole / 1024)
      unit += 1
    }
    // The number has at most three digits.
    if unit + 1 < units.count, whole >= 922 {
      (rest, whole) = (whole, 0)
      unit += 1
    }
    let fraction = whole < 10 && unit > 0 ? ".\(rest * 10 / 1024)" : ""
    return "\(whole)\(fraction)\(units[unit])B"
  }
}
