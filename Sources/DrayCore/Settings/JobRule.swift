// Rules for new jobs: the [[rule]] sections of the configuration. A rule matches jobs by host, name, type and size, and
// gives them a directory, limits and other settings.

/// The facts about a new job to which rules apply their conditions. Facts that are unknown when the job is added become
/// known with the server's answer.
public struct RuleFacts: Sendable, Equatable {
  /// The origin of the job's URL.
  package var origin: Origin
  /// The file name that the user gave, or else the one in the URL.
  package var name: String
  /// The expected media type, or else the type that the name's extension implies; `nil` if unknown.
  package var type: String?
  /// The expected length in bytes; `nil` if unknown.
  package var size: Int64?

  /// Creates the facts about a job.
  package init(_ job: JobSpecification) {
    origin = job.request.address.origin
    name = job.output ?? FileName.fromURLPath(job.request.url.path)
    size = job.options.expectedSize
    let guess = MediaType.guess(fileName: name)
    type = guess == MediaType.bytes ? nil : guess
    if let expected = job.options.expectedType, !expected.isWide { type = expected.description }
  }
}

/// A rule for new jobs.
package struct JobRule: Sendable, Equatable {
  /// The result of a condition.
  package enum Verdict: Sendable, Equatable {
    case holds
    case fails
    /// The fact is unknown until the server answers.
    case unknown
  }

  /// A condition: a key with one or more values. The condition holds if any of the values matches.
  package struct Condition: Sendable, Equatable {
    fileprivate enum Test: Sendable, Equatable {
      case hosts([HostPattern])
      case names([Wildcard])
      case types([ExpectedType])
      case least(Int64)
      case most(Int64)
    }

    /// The key: `host`, `name`, `type`, `min-size` or `max-size`.
    package let key: String
    /// The values as they were given.
    package let texts: [String]
    fileprivate let test: Test

    /// The keys of conditions.
    package static let keys = ["host", "name", "type", "min-size", "max-size"]

    /// The keys for facts that may be known only after the server's answer.
    static let lateKeys: Set<String> = ["type", "min-size", "max-size"]

    /// - Returns: `nil` if no condition has this key.
    /// - Throws: The problem with a value.
    init?(_ key: String, _ texts: [String]) throws(SettingProblem) {
      (self.key, self.texts) = (key, texts)
      switch key {
      case "host": test = .hosts(try Condition.all(texts, Condition.host))
      case "name": test = .names(try Condition.all(texts, Condition.name))
      case "type": test = .types(try Condition.all(texts, Condition.mediaType))
      case "min-size": test = .least(try Condition.size(texts))
      case "max-size": test = .most(try Condition.size(texts))
      default: return nil
      }
    }

    /// Returns whether the condition holds.
    package func verdict(_ facts: RuleFacts) -> Verdict {
      switch test {
      case .hosts(let patterns): patterns.contains { $0.matches(facts.origin) } ? .holds : .fails
      case .names(let patterns): patterns.contains { $0.matches(facts.name) } ? .holds : .fails
      case .types(let types): Condition.verdict(facts.type) { type in types.contains { $0.matches(type) } }
      case .least(let least): Condition.verdict(facts.size) { $0 >= least }
      case .most(let most): Condition.verdict(facts.size) { $0 <= most }
      }
    }

    private static func verdict<Fact>(_ fact: Fact?, _ test: (Fact) -> Bool) -> Verdict {
      guard let fact else { return .unknown }
      return test(fact) ? .holds : .fails
    }

    private static func all<Value>(
      _ texts: [String], _ parse: (String) throws(SettingProblem) -> Value
    ) throws(SettingProblem) -> [Value] {
      guard !texts.isEmpty else { throw SettingProblem("it is empty: give a value, or leave it out") }
      var values: [Value] = []
      for text in texts { values.append(try parse(text)) }
      return values
    }

    private static func host(_ text: String) throws(SettingProblem) -> HostPattern {
      do throws(HostPatternError) { return try HostPattern.parse(text) } catch { throw SettingProblem(error.message) }
    }

    private static func name(_ text: String) throws(SettingProblem) -> Wildcard {
      guard !text.isEmpty, text.utf8.count <= PathPattern.longest else {
        throw SettingProblem("\(SettingProblem.quote(text)) is not a pattern: write one such as *.iso")
      }
      return Wildcard(search: text)
    }

    private static func mediaType(_ text: String) throws(SettingProblem) -> ExpectedType {
      try SettingForm<ExpectedType>.type.value(of: text)
    }

    private static func size(_ texts: [String]) throws(SettingProblem) -> Int64 {
      guard texts.count == 1 else { throw SettingProblem("it takes one size, such as 500M") }
      do throws(QuantityParseError) { return try ByteCount.parse(texts[0]) } catch {
        throw SettingProblem(error.message)
      }
    }
  }

  /// The place of the rule, for messages: `config.toml:12`.
  package let place: String
  /// The conditions, all of which must hold.
  package private(set) var conditions: [Condition] = []
  /// The absolute path of the directory for the files.
  package private(set) var directory: String?
  /// The checked texts of the other settings, by name.
  package private(set) var values: [String: String] = [:]

  /// Creates an empty rule.
  package init(place: String) { self.place = place }

  /// The settings that ``values`` may contain, including the named queue.
  package static let settings = Setting.file.filter { $0.isPlain && ($0.isForClients || $0.name == "on-conflict") }

  /// The keys of a rule: conditions, then settings.
  package static let keys = Condition.keys + ["dir"] + settings.map(\.name)

  /// Adds a key with its values.
  /// - Returns: `false` if rules have no such key.
  /// - Throws: The problem with a value.
  package mutating func take(_ key: String, _ texts: [String]) throws(SettingProblem) -> Bool {
    if let condition = try Condition(key, texts) {
      conditions.append(condition)
      return true
    }
    let setting = JobRule.settings.first { $0.name == key }
    guard key == "dir" || setting != nil else { return false }
    guard texts.count == 1 else { throw SettingProblem("it takes one value, not \(texts.count)") }
    guard let setting else {
      guard !ObjectPlace.isMeant(by: texts[0]) else {
        do throws(ObjectPlaceError) { directory = try ObjectPlace(parsing: texts[0]).path } catch {
          throw SettingProblem(error.reason, advice: error.advice)
        }
        return true
      }
      guard texts[0].hasPrefix("/"), !texts[0].split(separator: "/").contains("..") else {
        throw SettingProblem("\(SettingProblem.quote(texts[0])) is not an absolute path: write it like ~/Videos")
      }
      directory = PathText.absolute(texts[0], from: "/")
      return true
    }
    var job = JobSpecification.plain
    try setting.set(texts, in: &job)
    values[key] = texts[0]
    return true
  }

  /// The reason why the rule is invalid; `nil` if it is valid.
  package var problem: String? {
    if conditions.isEmpty {
      return
        "it is for no jobs: add \(Condition.keys.joined(separator: ", ")); keys at the top of the file are for all jobs"
    }
    if directory == nil && values.isEmpty { return "it does nothing: add dir, limit-rate or another setting" }
    if directory?.hasPrefix(ObjectPlace.start) ?? false,
      let condition = conditions.first(where: { Condition.lateKeys.contains($0.key) })
    {
      return "\(condition.key) may be known only from the answer, and the place of an object is chosen before: "
        + "use host or name"
    }
    let late = JobRule.fixedByRequest.first { values[$0.name] != nil }
    guard let late, let condition = conditions.first(where: { Condition.lateKeys.contains($0.key) }) else { return nil }
    return "\(condition.key) may be known only from the answer, and \(late.reason): "
      + "leave \(late.name) out, or use host or name"
  }

  /// Settings that cannot change any more once the server has answered, with the reasons.
  static let fixedByRequest: [(name: String, reason: String)] = [
    ("resume", "resume decides what is requested"), ("max-time", "max-time counts from the request"),
    ("max-filesize", "max-filesize is compared with that answer"),
  ]

  /// Whether all conditions hold.
  package func matches(_ facts: RuleFacts) -> Bool { conditions.allSatisfy { $0.verdict(facts) == .holds } }
}
