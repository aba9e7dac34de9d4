// States of jobs on a command line.

internal import DrayKit

enum StateWords {
  /// Returns the states of `--state`; `nil` for all.
  /// - Throws: Kind `usage` for an unknown state.
  static func read(_ texts: [String]) throws(Failure) -> Set<JobState>? {
    guard !texts.isEmpty else { return nil }
    var states: Set<JobState> = []
    for word in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard let state = JobState(rawValue: String(word.trimmingSpaces())) else {
        let known = JobState.allCases.map(\.rawValue).joined(separator: ", ")
        throw OptionValue.bad("--state", "\(OptionValue.quote(String(word))) is not a state: use one of \(known)")
      }
      states.insert(state)
    }
    return states
  }
}
