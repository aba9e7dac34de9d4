// Defines each setting of a job in one row, which options, lists, JSON, `set`, `edit`, `export`, the configuration and
// the API share.

/// A setting of a job.
///
/// ``all`` is the only list of settings. Most settings need only a row in it and a property of the same name on the
/// command line.
package struct Setting: Sendable {
  /// Returns the texts of a job's values; empty if the job has the default.
  package typealias Values = @Sendable (JobSpecification) -> [String]
  /// Sets a job's values from texts; an empty list of texts sets the default.
  package typealias Put = @Sendable (inout JobSpecification, [String], SettingContext) throws(SettingProblem) -> Void
  /// Copies the values from one job to another.
  package typealias Copy = @Sendable (_ from: JobSpecification, _ to: inout JobSpecification) -> Void

  /// The times at which the `[host]` sections of the configuration apply.
  package enum HostUse: Sendable, Equatable {
    /// Once, when a job is added.
    case whenAdded
    /// At each request to the host; the value is never stored with a job.
    case atEachRedirect
    /// Once when a job is added, and at each redirect for requests to other hosts.
    case both
  }

  /// How clients of the service can use a setting. ``OutsideRule`` also checks the job as a whole.
  package enum ClientUse: Sendable, Equatable {
    /// Clients have no field for it.
    case none
    /// Clients have a field with this name; `mayChange` says whether they can change it after the job was added.
    case field(String, meaning: String, mayChange: Bool)
    /// A field with this name is refused to clients, for this reason.
    case refused(String)
  }

  /// The permission that clients need for some jobs.
  package struct Outside: Sendable {
    /// The permission.
    package let want: OutsideRule.Want
    /// Returns whether a job needs the permission.
    package let isThere: @Sendable (JobSpecification) -> Bool
  }

  /// A group of settings that exclude each other.
  package struct Choice: Sendable, Equatable {
    /// The message if two settings of the group are given.
    package let reason: String
  }

  /// The name of the option, and of the key in lists and in the configuration.
  package let name: String
  /// The form of the value in JSON.
  package let shape: SettingShape
  /// Returns a job's values.
  package let values: Values
  /// Sets a job's values; `nil` if the texts alone are not enough.
  let put: Put?
  /// Copies the values from one job to another.
  package let copy: Copy

  /// The help on the option; `nil` if there is no option.
  package internal(set) var help: SettingHelp?
  /// The topic of the option in help.
  package internal(set) var topic: SettingTopic?
  /// The default as messages name it; `nil` if none is shown.
  package internal(set) var usual: String?
  /// Whether the texts alone are not enough, because files, the environment or the user must be asked, too.
  package internal(set) var needsReading = false
  /// Whether a list may contain the setting, considering that lists may come from anywhere.
  package internal(set) var isForLists = true
  /// Whether users can type the setting. Otherwise, only `dray export` writes it.
  package internal(set) var isTyped = true
  /// The names of settings that are checked together with this one.
  package internal(set) var group: [String] = []
  /// The group of mutually exclusive settings to which this one belongs.
  package internal(set) var choice: Choice?
  /// Returns whether a value is a secret.
  package internal(set) var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// Whether the values are for one server only. Such values may not be in general sections of the configuration, and
  /// are sent over `http` only if the section of the host says so.
  package internal(set) var isOfOneServer = false
  /// The reason why general sections of the configuration cannot contain this setting; `nil` if they can.
  package internal(set) var notForAll: String?
  /// Whether a value of the form `@FILE` means the contents of a file.
  package internal(set) var readsFiles = false
  /// Whether a value is the path of a file that must exist.
  package internal(set) var isFile = false
  /// When values in `[host]` sections apply; `nil` if such sections cannot have the setting.
  package internal(set) var host: HostUse?
  /// Whether the value in the user's configuration also applies to jobs of clients. Credentials, certificates and
  /// cookies do not, because they prove the identity of the user.
  package internal(set) var isForClients = false

  /// The permission that a client's job with this setting needs; `nil` if it needs none.
  package internal(set) var outside: Outside?
  /// How clients of the service can use the setting.
  package internal(set) var client = ClientUse.none
  /// The names of the setting in other programs.
  package internal(set) var foreign = ForeignNames()
  /// The valid numbers; `nil` if the value is not a number, or any number is valid.
  package internal(set) var range: ClosedRange<Int64>?

  init(_ name: String, _ shape: SettingShape, values: @escaping Values, put: Put?, copy: @escaping Copy) {
    (self.name, self.shape, self.values, self.put, self.copy) = (name, shape, values, put, copy)
  }

  /// The name in JSON.
  package var field: String { name == "mirror" ? "mirrors" : name }
  /// Whether the setting may have several values.
  package var isList: Bool { shape == .strings || shape == .integers }
  /// Whether the value is yes or no.
  package var isFlag: Bool { shape == .boolean }
  /// The name of the field for clients; `nil` if there is none.
  package var clientField: String? { if case .field(let name, _, _) = client { name } else { nil } }

  /// Whether a text suffices to set a value.
  package var isPlain: Bool { put != nil && !needsReading }

  /// Returns the setting with this name.
  package static func named(_ name: some StringProtocol) -> Setting? { byName[String(name)] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let byField = Dictionary(uniqueKeysWithValues: all.map { ($0.field, $0) })

  private static let byProperty = Dictionary(uniqueKeysWithValues: all.map { (lettersAndDigits($0.name), $0) })

  /// Returns the setting that a property of this name belongs to, such as `maxTime`. Only letters and digits are
  /// compared.
  package static func ofProperty(_ label: String) -> Setting? { byProperty[lettersAndDigits(label)] }

  private static func lettersAndDigits(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Returns the setting with this name in JSON.
  package static func field(_ name: String) -> Setting? { byField[name] }

  /// The settings that can be typed.
  package static let typed = all.filter(\.isTyped)

  /// The settings that a line of a list may contain. Mirrors are not among them, because lists have a special form for
  /// mirrors.
  package static let listed = typed.filter { $0.isForLists && $0.name != "mirror" }

  /// Sets the values in a job.
  /// - Throws: The problem with a value. In that case the job is unchanged.
  package func set(
    _ texts: [String], in job: inout JobSpecification, _ context: SettingContext = .fixed
  ) throws(SettingProblem) {
    guard let put else { return }
    var changed = job
    try put(&changed, texts, context)
    job = changed
  }

  /// Whether a job has the default.
  package func isUnset(in job: JobSpecification) -> Bool { values(job).isEmpty }

  /// Whether setting an empty list of texts would leave the job unchanged.
  func isReset(in job: JobSpecification) -> Bool {
    var reset = job
    try? set([], in: &reset)
    return reset == job
  }

  /// Returns the settings in the configuration that apply to jobs of clients and are not defaults.
  /// - Parameter usual: A job made from the configuration alone.
  package static func forClients(in usual: JobSpecification) -> [Setting] {
    all.filter { $0.isForClients && !$0.isUnset(in: usual) }
  }

  /// Copies this setting from `usual` to a job that has neither this setting nor one that excludes it.
  package func complete(_ job: inout JobSpecification, with usual: JobSpecification) {
    let isSaid = Setting.all.contains { other in
      (other.name == name || choice != nil && other.choice == choice) && !other.isUnset(in: job)
    }
    if !isSaid { copy(usual, &job) }
  }

  /// Returns the names of given settings that exclude each other, with the reason; `nil` if none do.
  package static func contradiction(in given: Set<String>) -> (names: [String], reason: String)? {
    let chosen = all.filter { $0.choice != nil && given.contains($0.name) }
    for setting in chosen {
      let others = chosen.filter { $0.choice == setting.choice }
      if let choice = setting.choice, others.count > 1 { return (others.map(\.name), choice.reason) }
    }
    return nil
  }
}

extension JobSpecification {
  /// A job with all defaults.
  public static let plain = JobSpecification(
    request: TransferRequest(
      url: RequestURL(scheme: "http", host: "url.invalid", port: nil, path: Array("/".utf8), query: nil)),
    directory: "/")
}

// MARK: Creating rows

extension Setting {
  init<Value>(
    _ name: String, _ form: SettingForm<Value>, at path: any WritableKeyPath<JobSpecification, Value> & Sendable
  ) {
    self.init(
      name, form.shape,
      values: { job in
        let value = job[keyPath: path]
        return value == JobSpecification.plain[keyPath: path] ? [] : [form.text(value)]
      },
      put: { (job: inout JobSpecification, texts: [String], context: SettingContext) throws(SettingProblem) in
        guard let text = texts.last else { return job[keyPath: path] = JobSpecification.plain[keyPath: path] }
        job[keyPath: path] = try form.parse(text, context)
      }, copy: { from, to in to[keyPath: path] = from[keyPath: path] })
    usual = form.shown(JobSpecification.plain[keyPath: path])
    range = form.range
  }

  init<Value>(
    _ name: String, _ form: SettingForm<Value>, optional path: any WritableKeyPath<JobSpecification, Value?> & Sendable
  ) {
    self.init(
      name, form.shape, values: { job in job[keyPath: path].map { [form.text($0)] } ?? [] },
      put: { (job: inout JobSpecification, texts: [String], context: SettingContext) throws(SettingProblem) in
        guard let text = texts.last else { return job[keyPath: path] = nil }
        job[keyPath: path] = try form.parse(text, context)
      }, copy: { from, to in to[keyPath: path] = from[keyPath: path] })
    range = form.range
  }

  init<Value>(
    list name: String, _ form: SettingForm<Value>, at path: any WritableKeyPath<JobSpecification, [Value]> & Sendable,
    shape: SettingShape = .strings, separator: Character? = nil
  ) {
    self.init(
      name, shape, values: { job in job[keyPath: path].map(form.text) },
      put: { (job: inout JobSpecification, texts: [String], context: SettingContext) throws(SettingProblem) in
        job[keyPath: path] = try Setting.list(texts, form, separator, context)
      }, copy: { from, to in to[keyPath: path] = from[keyPath: path] })
  }

  /// Returns the values without duplicates.
  static func list<Value>(
    _ texts: [String], _ form: SettingForm<Value>, _ separator: Character?, _ context: SettingContext
  ) throws(SettingProblem) -> [Value] {
    var values: [Value] = []
    for text in texts {
      let words =
        separator.map { text.split(separator: $0, omittingEmptySubsequences: false).map(String.init) } ?? [text]
      for word in words {
        let value = try form.parse(separator == nil ? word : String(word.trimmingSpaces()), context)
        if !values.contains(value) { values.append(value) }
      }
    }
    return values
  }

  /// Creates a setting that is on if a property has a particular value.
  init<Value: Equatable & Sendable>(
    flag name: String, _ value: Value, at path: any WritableKeyPath<JobSpecification, Value> & Sendable
  ) {
    let set: @Sendable (inout JobSpecification, Bool) -> Void = { job, isOn in
      // Switching the setting off removes only its own value, not that of another setting with the same property.
      if isOn {
        job[keyPath: path] = value
      } else if job[keyPath: path] == value {
        job[keyPath: path] = JobSpecification.plain[keyPath: path]
      }
    }
    self.init(
      name, .boolean, values: { job in job[keyPath: path] == value ? ["yes"] : [] },
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        set(&job, try texts.last.map { (text) throws(SettingProblem) in try Setting.isYes(text) } ?? false)
      }, copy: { from, to in set(&to, from[keyPath: path] == value) })
  }

  /// Parses yes or no.
  package static func isYes(_ text: String) throws(SettingProblem) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": true
    case "no", "false", "off", "0": false
    default: throw SettingProblem("\(SettingProblem.quote(text)) is neither yes nor no")
    }
  }

  /// Creates a setting whose values are read by the code for the place where it is typed.
  init(
    reading name: String, _ shape: SettingShape = .string, put: Put? = nil, copy: @escaping Copy,
    values: @escaping Values
  ) {
    self.init(name, shape, values: values, put: put, copy: copy)
    needsReading = true
  }

  /// Adds a default for messages; jobs do not contain it.
  func usually(_ usual: String) -> Setting { with { $0.usual = usual } }

  /// Adds the help on the option, in which `{default}` stands for the default.
  func help(
    _ abstract: String, _ discussion: String = "", value: String? = nil, short: Character? = nil, also: String? = nil,
    offers: SettingHelp.Offer = .nothing
  ) -> Setting {
    with { setting in
      setting.help = SettingHelp(
        abstract: abstract.replacing("{default}", with: setting.usual ?? ""), discussion: discussion, value: value,
        short: short, also: also, offers: offers)
    }
  }

  func with(_ change: (inout Setting) -> Void) -> Setting {
    var copy = self
    change(&copy)
    return copy
  }

  /// Marks all values as secret.
  var secret: Setting { with { $0.isSecret = { _ in true } } }
  /// Keeps the setting out of lists, because it runs a program or names a file.
  var own: Setting { with { $0.isForLists = false } }
  /// Marks a setting that only `dray export` writes.
  var exported: Setting { with { $0.isTyped = false } }
  /// Also applies the configuration's value to jobs of clients.
  var forClients: Setting { with { $0.isForClients = true } }
  /// Lets clients use the setting, as a field with this name.
  func client(_ field: String, _ meaning: String, mayChange: Bool = false) -> Setting {
    with { $0.client = .field(field, meaning: meaning, mayChange: mayChange) }
  }
  func about(_ topic: SettingTopic) -> Setting { with { $0.topic = topic } }
  /// Adds the names that other programs use.
  func known(
    curl: String = "", zeroIsDefault: Bool = false, typed: String = "", aria2: String? = nil
  ) -> Setting {
    with { $0.foreign = ForeignNames(curl: curl, zeroIsDefault: zeroIsDefault, typed: typed, aria2: aria2) }
  }
  func refusedToClients(_ reason: String) -> Setting { with { $0.client = .refused(reason) } }
  /// Refuses the field to clients. A job that has the feature without that field needs a permission.
  /// - Parameters:
  ///   - what: The feature, as the beginning of a sentence.
  ///   - isThere: Returns whether a job has the feature.
  func refusedToClients(
    _ reason: String, _ grant: OutsideGrant, _ what: String, _ isThere: @escaping @Sendable (JobSpecification) -> Bool
  ) -> Setting {
    refusedToClients(reason).with {
      $0.outside = Outside(want: OutsideRule.Want(grant: grant, what: what), isThere: isThere)
    }
  }
  /// Keeps the setting out of general sections of the configuration.
  func notForAll(_ reason: String) -> Setting { with { $0.notForAll = reason } }
  /// Adds the names of settings that are checked together with this one.
  func with(_ group: String...) -> Setting { with { $0.group = group } }
  /// Allows the setting in `[host]` sections.
  func host(_ use: HostUse) -> Setting { with { $0.host = use } }
  /// Makes the setting exclude the other settings of a group.
  func one(of choice: Choice) -> Setting { with { $0.choice = choice } }
}
