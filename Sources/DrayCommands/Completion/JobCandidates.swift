// The jobs that a command can act on, as candidates with names and progress. A completion creates nothing, changes
// nothing, and does not wait; and it shows no secrets in URLs.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

enum JobCandidates {
  /// The maximum number of candidates. If there are more jobs, the newest are candidates.
  static let limit = 200

  /// Returns the states of the jobs that the operands of a command, or one of its options, can name.
  static func states(_ path: [String], option: String?, words: [String]) -> Set<JobState> {
    let unfinished: Set<JobState> = [.queued, .active, .interrupted, .paused]
    if let option { return option == "after" || option == "before" || option == "job" ? unfinished : all }
    return switch path.first {
    case "pause": [.queued, .active, .interrupted]
    case "resume": [.interrupted, .paused]
    case "retry": [.failed, .interrupted]
    case "open", "verify": [.complete]
    case "path": words.contains("--part") ? unfinished : [.complete]
    case "move": [.queued, .interrupted, .paused]
    case "watch", "wait": [.queued, .active, .interrupted]
    case "set", "edit": unfinished
    case "set-url": unfinished.union([.failed])
    default: all
    }
  }

  private static let all = Set(JobState.allCases)

  /// Returns the jobs in these states whose ids begin with a text.
  static func find(_ states: Set<JobState>, _ start: String) -> [Candidate] {
    guard start.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let configuration = try? Store.user()
    else { return [] }
    let found = DownloadManager.glance(configuration, states: states, idsBeginningWith: start, limit: limit)
    return found.map { Candidate(word: "\($0.id)", meaning: meaning($0)) }
  }

  /// Returns a description of a job in a few words.
  static func meaning(_ job: JobSummary) -> String {
    let row = JobTableRow(job, live: nil, now: 0)
    let progress = job.state == .complete ? job.size.map(ByteText.size) ?? "" : row.progress
    let state = [job.state.rawValue, progress].filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(TextFit.truncatedMiddle(row.name, width: 40)) (\(state))"
  }

  static func meaning(ofState word: String) -> String? {
    switch JobState(rawValue: word) {
    case .queued: "waits for a runner"
    case .active: "a runner transfers it"
    case .complete: "is there and checked"
    case .failed: "ended with an error, nothing kept"
    case .interrupted: "stopped, its bytes are kept"
    case .paused: "stopped by you until it is resumed"
    case nil: nil
    }
  }
}
