// A configuration rule that is decided by the server's answer. It is stored with the job, because another process may
// transfer the job.

/// A rule with conditions that only the first answer to the job's request can decide.
package struct LateRule: Sendable, Equatable, Codable {
  /// The place of the rule, for messages: `config.toml:12`.
  package var place: String
  /// The conditions that are not decided yet: for each key, the texts that match.
  package var conditions: [String: [String]]
  /// The directory for the file.
  package var directory: String?
  /// The directory of the queue that ``values`` names.
  package var queueDirectory: String?
  /// The texts of the other settings by name, which were already checked.
  package var values: [String: String]

  /// Creates a rule.
  package init(
    place: String, conditions: [String: [String]], directory: String?, queueDirectory: String? = nil,
    values: [String: String]
  ) {
    (self.place, self.conditions, self.directory) = (place, conditions, directory)
    (self.queueDirectory, self.values) = (queueDirectory, values)
  }

  var isEmpty: Bool { directory == nil && values.isEmpty }
}
