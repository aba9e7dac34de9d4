// The states of jobs on a command line.

internal import DrayKit

enum StateWords {
  /// Returns the states that `--state` names; `nil` for all states.
  /// - Throws: Kind `usage` for a word that is not a state.
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
