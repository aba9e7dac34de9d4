// Jobs as the shell offers them: those that a command can act on, each with its name and how far it is. Nothing is made,
// changed or waited for, and secrets in URLs stay where they are.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

enum JobCandidates {
  /// The most that are offered: the newest.
  static let limit = 200

  /// What the jobs of a command's operands, or of one of its options, have to be.
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

  /// The jobs in these states whose numbers begin so.
  static func find(_ states: Set<JobState>, _ start: String) -> [Candidate] {
    guard start.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let configuration = try? Configuration.user()
    else { return [] }
    let found = DownloadManager.glance(configuration, states: states, idsBeginningWith: start, limit: limit)
    return found.map { Candidate(word: "\($0.id)", meaning: meaning($0)) }
  }

  /// A job in a few words.
  static func meaning(_ job: JobSummary) -> String {
    let row = JobTableRow(job, live: nil, now: 0)
    let progress = job.state == .complete ? job.size.map(ByteText.size) ?? "" : row.progress
    let state = [job.state.rawValue, progress].filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(TextFit.truncatedMiddle(row.name, width: 40)) (\(state))"
  }

  /// What a state means; nil for another word.
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
