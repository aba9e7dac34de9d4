// Settings that were given for a job, checked as its options would be, and ready to be put into it.

internal import DrayKit

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
    var arguments: SettingArguments
    do { arguments = try SettingArguments.none.get() } catch { throw Failure(.other, "the options", "\(error)") }
    let names = Set(given.map(\.name))
    var copies: [(setting: JobSetting, copy: JobSetting.Copy)] = []
    for one in given {
      guard let setting = JobSetting.named(one.name) else { continue }
      let name = place(one.name)
      try SettingPatch.check(setting, one, source, name)
      switch setting.way {
      case .place: break
      case .direct(let apply):
        var trial = JobSpecification(request: TransferRequest(url: url), directory: "/")
        try apply(&trial, one.values, name)
        let values = one.values
        // What was refused of none is refused of none.
        steps.append { job in _ = try? apply(&job, values, name) }
      case .option(let put, let copy):
        if !one.values.isEmpty { try put(&arguments, one.values, name) }
        copies.append((setting, copy))
        guard let current else { continue }
        for other in setting.group where !names.contains(other) {
          guard let other = JobSetting.named(other), case .option(let put, _) = other.way,
            case let values = other.values(current), !values.isEmpty
          else { continue }
          try put(&arguments, values, name)
        }
      }
    }
    guard !copies.isEmpty else { return }
    let made: JobSpecification
    do throws(Failure) {
      made = try SettingPatch.make(arguments, url, source, surroundings)
    } catch {
      // The checks name options; what was given here are settings.
      var failure = error
      if let name = names.first(where: { error.subject == "--\($0)" }) { failure.subject = place(name) }
      throw failure
    }
    for (setting, copy) in copies {
      let isRemoved = given.contains { $0.name == setting.name && $0.values.isEmpty }
      steps.append { job in
        // To take away what is not there must not take away what a sibling of it has: `ipv4=` of a job with `ipv6`.
        if isRemoved, setting.values(job).isEmpty { return }
        copy(made, &job)
      }
    }
  }

  /// What the options come to.
  private static func make(
    _ arguments: SettingArguments, _ url: RequestURL, _ source: Source, _ surroundings: Surroundings
  ) throws(Failure) -> JobSpecification {
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
    _ setting: JobSetting, _ given: GivenSetting, _ source: Source, _ place: String
  ) throws(Failure) {
    switch source {
    case .typed:
      guard setting.isTyped else { throw OptionValue.bad(place, "this is known from a document, and cannot be set") }
    case .exported, .list:
      if setting.readsFiles, given.values.contains(where: { $0.hasPrefix("@") }) {
        throw OptionValue.bad(place, "a list cannot name a file to read: write the value itself")
      }
      guard source == .list, !setting.lists else { return }
      throw OptionValue.bad(
        place, "a list from elsewhere must not set this: give it as an option",
        advice: "`dray import` takes it out of what `dray export` wrote")
    }
  }

  /// Puts them into a job.
  func apply(to job: inout JobSpecification) { for step in steps { step(&job) } }
}
