internal import DrayCore

/// The progress that a runner shows to other processes, at one moment.
package struct RunnerBoard: Sendable, Equatable {
  /// The progress of the whole run, if the runner reports it.
  package var overall: ProgressEntry?
  /// The progress of each active job.
  package var entries: [ProgressEntry]
  package var runner: RunnerFacts?

  package init(overall: ProgressEntry? = nil, entries: [ProgressEntry], runner: RunnerFacts? = nil) {
    self.runner = runner
    self.overall = overall
    self.entries = entries
  }
}

/// What a runner reports about itself.
package struct RunnerFacts: Sendable, Equatable {
  package var name: String
  package var version: String
  /// The start of the runner, in seconds since 1970.
  package var since: Int64

  package init(name: String, version: String, since: Int64) {
    (self.name, self.version, self.since) = (name, version, since)
  }

  /// `VERSION SINCE NAME`, as in a board.
  var text: String { "\(version) \(since) \(name)" }

  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, let since = Int64(words[1]) else { return nil }
    (version, self.since, name) = (String(words[0]), since, String(words[2]))
  }
}
