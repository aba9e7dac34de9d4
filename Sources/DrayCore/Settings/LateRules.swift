// Rules that are decided by the server's answer, because the type or the size of a file may be unknown when its job is
// added.

extension LateRule {
  /// Whether all conditions hold. A condition does not hold if the answer lacks its fact.
  func matches(_ facts: RuleFacts) -> Bool {
    conditions.allSatisfy { key, texts in
      (try? JobRule.Condition(key, texts))?.verdict(facts) == .holds
    }
  }
}

extension RuleFacts {
  /// Creates the facts about a job whose server has answered. If the type in the answer is unspecific, the file name
  /// decides the type.
  package init(_ job: JobSpecification, _ head: ResponseHead, size: Int64?, name: String) {
    self.init(job)
    self.name = name
    self.size = size ?? self.size
    let guess = MediaType.guess(fileName: name)
    if let stated = head.mediaType?.essence, stated != MediaType.bytes {
      type = stated
    } else if guess != MediaType.bytes {
      type = guess
    }
  }
}

extension JobRules {
  /// Returns the rules that must wait for the answer to a job's request, with the settings that they may still choose.
  /// - Parameters:
  ///   - given: The options given by the user.
  ///   - keepsDirectory: Whether the directory is already chosen.
  ///   - directories: The directories of named queues, by their names.
  package func late(
    for facts: RuleFacts, given: Set<String>, keepsDirectory: Bool, directories: [String: String] = [:]
  ) -> [LateRule] {
    var (taken, isPlaced) = (given, keepsDirectory)
    let hasPlace = keepsDirectory || rules.contains { $0.directory != nil && $0.matches(facts) }
    var late: [LateRule] = []
    for rule in rules where !rule.conditions.contains(where: { $0.verdict(facts) == .fails }) {
      let open = rule.conditions.filter { $0.verdict(facts) == .unknown }
      guard !open.isEmpty else {
        // This rule already applies, and takes precedence over later rules.
        taken.formUnion(rule.values.keys)
        isPlaced = isPlaced || rule.directory != nil
        continue
      }
      let values = rule.values.filter { !taken.contains($0.key) }
      let one = LateRule(
        place: rule.place, conditions: Dictionary(open.map { ($0.key, $0.texts) }, uniquingKeysWith: { $1 }),
        directory: isPlaced ? nil : rule.directory,
        queueDirectory: hasPlace ? nil : values["queue"].flatMap { directories[$0] }, values: values)
      if !one.isEmpty { late.append(one) }
    }
    return late
  }
}

extension JobSpecification {
  /// Applies the rules that depend on the answer. Only the job's first answer counts.
  ///
  /// Only the directory of the target changes: received bytes stay where they are until the file is complete.
  public mutating func decideRules(_ facts: RuleFacts) {
    guard let rules = options.lateRules else { return }
    options.lateRules = nil
    let matching = rules.filter { $0.matches(facts) }
    for setting in JobRule.settings {
      if let text = matching.first(where: { $0.values[setting.name] != nil })?.values[setting.name] {
        try? setting.set([text], in: &self)
      }
    }
    let ofQueue = matching.first { $0.values["queue"] != nil }?.queueDirectory
    if let new = matching.first(where: { $0.directory != nil })?.directory ?? ofQueue { changeDirectory(to: new) }
  }

  /// A repair keeps its directory, and so does a file that is compared with its target.
  private mutating func changeDirectory(to new: String) {
    // Received bytes cannot be moved between an object store and a directory.
    guard ![new, directory].contains(where: { $0.hasPrefix(ObjectPlace.start) }) else { return }
    guard new != directory, foreignDepth == 0, request.cache?.ifChanged == nil, options.repairs == nil else { return }
    options.askedDirectory = directory
    options.partDirectory = options.partDirectory ?? directory
    directory = new
  }

  /// Removes settings from the rules that wait for the answer, because the user has chosen these settings in the
  /// meantime.
  public mutating func withdrawRules(for names: Set<String>) {
    guard let rules = options.lateRules else { return }
    let left = rules.map { rule in
      var rule = rule
      rule.values = rule.values.filter { !names.contains($0.key) }
      if names.contains("dir") { rule.directory = nil }
      if names.contains("dir") || names.contains("queue") { rule.queueDirectory = nil }
      return rule
    }
    let useful = left.filter { !$0.isEmpty }
    options.lateRules = useful.isEmpty ? nil : useful
  }

  /// Returns this specification, which repeats the request for `job`, with the directory that a rule may have chosen
  /// for `job`.
  public func following(_ job: Job) -> JobSpecification {
    guard job.specification.options.askedDirectory == directory, job.specification.directory != directory else {
      return self
    }
    var following = self
    following.directory = job.specification.directory
    following.withdrawRules(for: ["dir"])
    following.options.askedDirectory = directory
    following.options.partDirectory = job.specification.options.partDirectory
    return following
  }
}
