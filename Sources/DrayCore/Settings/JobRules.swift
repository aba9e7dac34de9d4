/// The rules of the configuration that apply to new jobs.
package struct JobRules: Sendable, Equatable {
  /// All rules, in the order in which they apply.
  package let rules: [JobRule]

  /// Creates a set of rules.
  package init(_ rules: [JobRule] = []) { self.rules = rules }

  /// A setting that a rule chose, with the place of the rule.
  package struct Chosen: Sendable, Equatable {
    /// The name of the setting; `dir` for the directory.
    package let name: String
    /// The text of the setting.
    package let text: String
    /// The place of the rule in the configuration.
    package let place: String
  }

  /// Returns the settings that rules choose for a job, in the order of the manual page. Each is from the first matching
  /// rule that has it.
  package func chosen(for facts: RuleFacts) -> [Chosen] {
    let matching = rules.filter { $0.matches(facts) }
    guard !matching.isEmpty else { return [] }
    let directory = matching.first { $0.directory != nil }.flatMap { rule in
      rule.directory.map { Chosen(name: "dir", text: $0, place: rule.place) }
    }
    let others = JobRule.settings.compactMap { setting in
      matching.first { $0.values[setting.name] != nil }.flatMap { rule in
        rule.values[setting.name].map { Chosen(name: setting.name, text: $0, place: rule.place) }
      }
    }
    return [directory].compactMap(\.self) + others
  }

  /// The named queues that rules choose.
  package var queues: Set<String> { Set(rules.compactMap { $0.values["queue"] }) }

  /// Applies the rules to a new job. Rules that depend on the server's answer are stored with the job.
  /// - Parameters:
  ///   - given: The user's options, which take precedence.
  ///   - keepsDirectory: Whether the user has chosen the directory.
  ///   - directories: The directories of named queues, by their names. If a rule chooses the job's queue, the job gets
  ///     the queue's directory, unless a rule has another directory.
  package func apply(
    to job: inout JobSpecification, given: Set<String>, keepsDirectory: Bool, directories: [String: String] = [:]
  ) {
    guard !rules.isEmpty else { return }
    let facts = RuleFacts(job)
    let settings = chosen(for: facts).filter { !given.contains($0.name) }
    for one in settings where one.name != "dir" {
      // The text was already checked when the rule was read.
      try? Setting.named(one.name)?.set([one.text], in: &job)
    }
    let late = late(for: facts, given: given, keepsDirectory: keepsDirectory, directories: directories)
    job.options.lateRules = late.isEmpty ? nil : late
    guard !keepsDirectory else { return }
    let ofQueue = settings.first { $0.name == "queue" }.flatMap { directories[$0.text] }
    let own = settings.first { $0.name == "dir" }?.text
    if let directory = own ?? ofQueue { (job.directory, job.foreignDepth) = (directory, 0) }
  }
}
