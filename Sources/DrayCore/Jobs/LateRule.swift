// A configuration rule that is decided by the server's answer. It is stored with the job, because another process may
// transfer the job.

/// A rule some of whose conditions can only be decided by the first answer to the job's request.
public struct LateRule: Sendable, Equatable, Codable {
  /// The place of the rule, for messages: `config.toml:12`.
  public var place: String
  /// The undecided conditions: the allowed texts, by key.
  public var conditions: [String: [String]]
  /// The directory for the file.
  public var directory: String?
  /// The directory of the queue in ``values``.
  public var queueDirectory: String?
  /// Checked texts of the other settings, by name.
  public var values: [String: String]

  /// Creates a rule.
  public init(
    place: String, conditions: [String: [String]], directory: String?, queueDirectory: String? = nil,
    values: [String: String]
  ) {
    (self.place, self.conditions, self.directory) = (place, conditions, directory)
    (self.queueDirectory, self.values) = (queueDirectory, values)
  }

  var isEmpty: Bool { directory == nil && values.isEmpty }
}
