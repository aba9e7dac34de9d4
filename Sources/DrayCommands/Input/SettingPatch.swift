// Settings that were given for a job, checked as its options would be, and ready to be put into it.

internal import ArgumentParser
internal import DrayKit

/// The options of `add`, as values.
struct SettingArguments: ParsableArguments, Sendable {
  @OptionGroup var job: JobArguments
  @OptionGroup var request: RequestArguments
}

/// A setting and its values as they were given; none takes it away.
struct GivenSetting: Hashable, Sendable {
  var name: String
  var values: [String]

  /// Adds a value; of a setting that has one value only, the last counts.
  static func add(_ name: String, _ value: String, to all: inout [GivenSetting]) {
    if let index = all.firstIndex(where: { $0.name == name }) {
      all[index].values.append(value)
    } else {
      all.append(GivenSetting(name: name, values: [value]))
    }
  }
}

/// Checked settings.
struct SettingPatch: Sendable {
  /// Where they were given.
  enum Source {
    /// By the user, who may name files and be asked for passwords.
    case typed
    /// In what `dray export` wrote.
    case exported
    /// In a list from anywhere.
    case list
  }

  /// What patches are the same for.
  struct Key: Hashable {
    var given: [GivenSetting]
    var origin: String
  }

  private var steps: [@Sendable (inout JobSpecification) -> Void] = []

  /// Checks settings for a job at `url`.
  /// - Parameters:
  ///   - current: the job as it is, whose other settings are considered where they belong together.
  ///   - place: how errors name a setting.
  /// - Throws: kind `usage`, naming the setting or its option.
  init(
    _ given: [GivenSetting], for url: RequestURL, _ source: Source, _ surroundings: Surroundings,
    current: JobSpecification? = nil, place: (String) -> String
  ) throws(Failure) {
    let names = Set(given.map(\.name))
    var words: [String] = []
    var read: [(setting: Setting, isRemoved: Bool)] = []
    try SettingPatch.refuseContradictions(given, place)
    for one in given {
      guard let setting = Setting.named(one.name) else { continue }
      let name = place(one.name)
      try SettingPatch.check(setting, one, source, name)
      guard !setting.isPlain else {
        try take(one, setting, url, name)
        continue
      }
      // Directory and name are decided together, elsewhere.
      guard !["dir", "out"].contains(setting.name) else { continue }
      words += try SettingPatch.words(one, setting, name)
      read.append((setting, one.values.isEmpty))
      guard let current else { continue }
      for other in setting.group.compactMap({ Setting.named($0) }) where !names.contains(other.name) {
        words += try SettingPatch.words(GivenSetting(name: other.name, values: other.values(current)), other, name)
      }
    }
    guard !read.isEmpty else { return }
    let made: JobSpecification
    do throws(Failure) {
      made = try SettingPatch.make(words, url, source, surroundings)
    } catch {
      // The checks name options; what was given here are settings.
      var failure = error
      if let name = names.first(where: { error.subject == "--\($0)" }) { failure.subject = place(name) }
      throw failure
    }
    for (setting, isRemoved) in read {
      steps.append { job in
        // To take away what is not there must not take away what a sibling of it has: `user=` of a job with a token.
        if isRemoved, setting.isUnset(in: job) { return }
        setting.copy(made, &job)
      }
    }
  }

  /// Takes a setting whose texts are all that is needed.
  private mutating func take(
    _ given: GivenSetting, _ setting: Setting, _ url: RequestURL, _ place: String
  ) throws(Failure) {
    var trial = JobSpecification(request: TransferRequest(url: url), directory: "/")
    let (values, context) = (given.values, SettingContext.current)
    do throws(SettingProblem) { try setting.set(values, in: &trial, context) } catch {
      throw OptionValue.bad(place, error)
    }
    // What was refused of none is refused of none.
    steps.append { job in try? setting.set(values, in: &job, context) }
  }

  private static func refuseContradictions(_ given: [GivenSetting], _ place: (String) -> String) throws(Failure) {
    let on = given.filter { $0.values.last.flatMap { try? Setting.isYes($0) } ?? false }
    guard let found = Setting.contradiction(in: Set(on.map(\.name))) else { return }
    throw OptionValue.bad(found.names.map(place).joined(separator: " and "), found.reason)
  }

  /// A setting as words of a command line.
  private static func words(_ given: GivenSetting, _ setting: Setting, _ place: String) throws(Failure) -> [String] {
    guard setting.isFlag else {
      // The parser takes an empty value behind = for a missing one.
      return given.values.flatMap { $0.isEmpty ? ["--\(setting.name)", ""] : ["--\(setting.name)=\($0)"] }
    }
    guard let text = given.values.last else { return [] }
    do throws(SettingProblem) { return try Setting.isYes(text) ? ["--\(setting.name)"] : [] } catch {
      throw OptionValue.bad(place, error)
    }
  }

  /// What options come to.
  private static func make(
    _ words: [String], _ url: RequestURL, _ source: Source, _ surroundings: Surroundings
  ) throws(Failure) -> JobSpecification {
    let arguments: SettingArguments
    do { arguments = try SettingArguments.parse(words) } catch {
      throw Failure(.usage, "the settings", SettingArguments.message(for: error))
    }
    var surroundings = surroundings
    if source != .typed {
      // What the environment has for all is not for servers that a list names; nor is anybody asked.
      let home = surroundings.environment["HOME"]
      surroundings.environment = home.map { ["HOME": $0] } ?? [:]
      surroundings.askPassword = { _ in nil }
    }
    var template = try JobTemplate(arguments.job, arguments.request, surroundings)
    template.hosts = HostLimits(rules: HostRules(), given: [])
    try template.prepare(for: url)
    return template.specification(InputList.Entry(url: url, line: 0), LineOptions(), template.place)
  }

  private static func check(
    _ setting: Setting, _ given: GivenSetting, _ source: Source, _ place: String
  ) throws(Failure) {
    switch source {
    case .typed:
      guard setting.isTyped else { throw OptionValue.bad(place, "this is known from a document, and cannot be set") }
    case .exported, .list:
      if setting.readsFiles, given.values.contains(where: { $0.hasPrefix("@") }) {
        throw OptionValue.bad(place, "a list cannot name a file to read: write the value itself")
      }
      guard source == .list, !setting.isForLists else { return }
      throw OptionValue.bad(
        place, "a list from elsewhere must not set this: give it as an option",
        advice: "`dray import` takes it out of what `dray export` wrote")
    }
  }

  /// Puts them into a job.
  func apply(to job: inout JobSpecification) { for step in steps { step(&job) } }
}
