// Settings for a job that were checked like options and can be applied.

internal import ArgumentParser
internal import DrayKit

/// Those options of `dray add` that are settings.
struct SettingArguments: ParsableArguments, Sendable {
  @OptionGroup var job: JobArguments
  @OptionGroup var request: RequestArguments
}

struct SettingPatch: Sendable {
  enum Source {
    /// The user, who may name files and can be asked for passwords.
    case typed
    /// A file that `dray export` wrote.
    case exported
    /// A list whose origin is not known.
    case list
  }

  struct Key: Hashable {
    var given: [GivenSetting]
    var origin: String
  }

  private var steps: [@Sendable (inout JobSpecification) -> Void] = []
  private let names: Set<String>

  /// Checks settings for a job whose URL is `url`.
  /// - Parameters:
  ///   - current: The present job, for settings that depend on each other.
  ///   - place: Returns how an error names a setting.
  /// - Throws: Kind `usage` with the name of the setting or of its option.
  init(
    _ given: [GivenSetting], for url: RequestURL, _ source: Source, _ surroundings: Surroundings,
    current: JobSpecification? = nil, place: (String) -> String
  ) throws(Failure) {
    names = Set(given.map(\.name))
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
      // JobEditing and SpecificationList handle the directory and the name together.
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
      // The checks name options in their errors. This code names the settings that were given instead.
      var failure = error
      if let name = names.first(where: { error.subject == "--\($0)" }) { failure.subject = place(name) }
      throw failure
    }
    for (setting, isRemoved) in read {
      steps.append { job in
        // If a setting is removed that the job does not have, the value of a related setting must stay, as with `user=`
        // for a job with a token.
        if isRemoved, setting.isUnset(in: job) { return }
        setting.copy(made, &job)
      }
    }
  }

  /// Checks a setting that depends only on its own texts.
  private mutating func take(
    _ given: GivenSetting, _ setting: Setting, _ url: RequestURL, _ place: String
  ) throws(Failure) {
    var trial = JobSpecification(request: TransferRequest(url: url), directory: "/")
    let (values, context) = (given.values, SettingContext.current)
    do throws(SettingProblem) { try setting.set(values, in: &trial, context) } catch {
      throw OptionValue.bad(place, error)
    }
    // This cannot fail: the same values were valid in the trial before.
    steps.append { job in try? setting.set(values, in: &job, context) }
  }

  private static func refuseContradictions(_ given: [GivenSetting], _ place: (String) -> String) throws(Failure) {
    let on = given.filter { $0.values.last.flatMap { try? Setting.isYes($0) } ?? false }
    guard let found = Setting.contradiction(in: Set(on.map(\.name))) else { return }
    throw OptionValue.bad(found.names.map(place).joined(separator: " and "), found.reason)
  }

  private static func words(_ given: GivenSetting, _ setting: Setting, _ place: String) throws(Failure) -> [String] {
    guard setting.isFlag else {
      // The parser takes an empty value after = for a missing one, so an empty value becomes a separate word.
      return given.values.flatMap { $0.isEmpty ? ["--\(setting.name)", ""] : ["--\(setting.name)=\($0)"] }
    }
    guard let text = given.values.last else { return [] }
    do throws(SettingProblem) { return try Setting.isYes(text) ? ["--\(setting.name)"] : [] } catch {
      throw OptionValue.bad(place, error)
    }
  }

  private static func make(
    _ words: [String], _ url: RequestURL, _ source: Source, _ surroundings: Surroundings
  ) throws(Failure) -> JobSpecification {
    let arguments: SettingArguments
    do { arguments = try SettingArguments.parse(words) } catch {
      throw Failure(.usage, "the settings", SettingArguments.message(for: error))
    }
    var surroundings = surroundings
    if source != .typed {
      // Secrets in the environment are not meant for servers that a list names, and for a list the user is not asked
      // for passwords.
      let home = surroundings.environment["HOME"]
      surroundings.environment = home.map { ["HOME": $0] } ?? [:]
      surroundings.askPassword = { _ in nil }
    }
    var template = try JobTemplate(arguments.job, arguments.request, surroundings)
    template.hosts = HostLimits(rules: HostRules(), given: [])
    template.keepsAccess = true
    try template.prepare(for: url)
    let job = template.specification(InputList.Entry(url: url, line: 0), LineOptions(), template.place)
    try template.checkAccess(to: job)
    return job
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

  func apply(to job: inout JobSpecification) {
    for step in steps { step(&job) }
    job.trustTarget(changing: names)
    job.withdrawRules(for: names)
  }
}
