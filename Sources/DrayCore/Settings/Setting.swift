// A setting of a job: everything that is known of one, in one row. Options, lists, lines of JSON, `set`, `edit`, `export`, the
// configuration and the API look here.

/// A setting of a job.
///
/// ``all`` is the one place that names settings. An ordinary one is a row there, and a property of the command line with its name.
public struct Setting: Sendable {
  /// The texts of a job's values; none where it has the default.
  public typealias Values = @Sendable (JobSpecification) -> [String]
  /// Puts texts into a job; none is the default.
  public typealias Put = @Sendable (inout JobSpecification, [String], SettingContext) throws(SettingProblem) -> Void
  /// Puts the values of one job into another.
  public typealias Copy = @Sendable (_ from: JobSpecification, _ to: inout JobSpecification) -> Void

  /// When the `[host]` sections of the configuration apply.
  public enum HostUse: Sendable, Equatable {
    /// Once, when a job is added.
    case whenAdded
    /// At each request to the host, and never kept with a job.
    case atEachHop
    /// When a job is added, and for requests to other hosts at each hop.
    case both
  }

  /// Settings of which a job can have one only.
  public struct Choice: Sendable, Equatable {
    /// What a message says of two of them.
    public let reason: String
  }

  /// The name: that of the option, of the key in lists and in the configuration.
  public let name: String
  /// The form of its value in JSON.
  public let shape: SettingShape
  /// What a job has of it.
  public let values: Values
  /// Puts it into a job, where its text is all that is needed for that.
  let put: Put?
  /// Puts what one job has of it into another.
  public let copy: Copy

  /// The default as people read it; `nil` if there is none to show.
  public internal(set) var usual: String?
  /// Whether its values need more than their texts: files, the environment, a question to the user.
  public internal(set) var needsReading = false
  /// Whether a list may set it, which may come from anywhere.
  public internal(set) var isForLists = true
  /// Whether it can be typed; the others are only written by `dray export`.
  public internal(set) var isTyped = true
  /// The settings that are checked together with it.
  public internal(set) var group: [String] = []
  /// The settings that exclude each other with it.
  public internal(set) var choice: Choice?
  /// Whether a value of it is a secret.
  public internal(set) var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// Whether its values belong to one server: they are in no section of the configuration that is for all, and go over `http` only to
  /// hosts whose section says so.
  public internal(set) var isOfOneServer = false
  /// Whether a value `@FILE` names a file.
  public internal(set) var readsFiles = false
  /// Whether a value is the path of a file that must be there.
  public internal(set) var isFile = false
  /// Whether and when a `[host]` section sets it.
  public internal(set) var host: HostUse?
  /// Whether the configuration of the service's user completes the jobs of clients with it. Credentials, certificates and cookies prove
  /// who the user is, and are for jobs that the user adds.
  public internal(set) var isForClients = false

  init(_ name: String, _ shape: SettingShape, values: @escaping Values, put: Put?, copy: @escaping Copy) {
    (self.name, self.shape, self.values, self.put, self.copy) = (name, shape, values, put, copy)
  }

  /// Its name in JSON.
  public var field: String { name == "mirror" ? "mirrors" : name }
  /// Whether it has several values.
  public var isList: Bool { shape == .strings || shape == .integers }
  /// Whether it is yes or no.
  public var isFlag: Bool { shape == .boolean }
  /// Whether its text is all that is needed to set it.
  public var isPlain: Bool { put != nil && !needsReading }

  /// The setting of this name.
  public static func named(_ name: some StringProtocol) -> Setting? { byName[String(name)] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let byField = Dictionary(uniqueKeysWithValues: all.map { ($0.field, $0) })

  /// The setting that a line of JSON calls so.
  public static func field(_ name: String) -> Setting? { byField[name] }

  /// Those that can be typed.
  public static var typed: [Setting] { all.filter(\.isTyped) }

  /// Puts values into a job.
  /// - Throws: the problem with one of them; the job is unchanged then.
  public func set(
    _ texts: [String], in job: inout JobSpecification, _ context: SettingContext = .fixed
  ) throws(SettingProblem) {
    guard let put else { return }
    var changed = job
    try put(&changed, texts, context)
    job = changed
  }

  /// Whether a job has the default.
  public func isUnset(in job: JobSpecification) -> Bool { values(job).isEmpty }
}

extension JobSpecification {
  /// A job that nothing was said of.
  static let plain = JobSpecification(
    request: TransferRequest(
      url: RequestURL(scheme: "http", host: "url.invalid", port: nil, path: Array("/".utf8), query: nil)),
    directory: "/")
}

// MARK: Making rows

extension Setting {
  /// A setting with one value.
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
  }

  /// A setting with one value or none.
  init<Value>(
    _ name: String, _ form: SettingForm<Value>, optional path: any WritableKeyPath<JobSpecification, Value?> & Sendable
  ) {
    self.init(
      name, form.shape, values: { job in job[keyPath: path].map { [form.text($0)] } ?? [] },
      put: { (job: inout JobSpecification, texts: [String], context: SettingContext) throws(SettingProblem) in
        guard let text = texts.last else { return job[keyPath: path] = nil }
        job[keyPath: path] = try form.parse(text, context)
      }, copy: { from, to in to[keyPath: path] = from[keyPath: path] })
  }

  /// A setting that may be repeated.
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

  /// The values of several texts, each once.
  static func list<Value>(
    _ texts: [String], _ form: SettingForm<Value>, _ separator: Character?, _ context: SettingContext
  ) throws(SettingProblem) -> [Value] {
    var values: [Value] = []
    for text in texts {
      let words = separator.map { text.split(separator: $0, omittingEmptySubsequences: false).map(String.init) } ?? [text]
      for word in words {
        let value = try form.parse(separator == nil ? word : String(word.trimmingSpaces()), context)
        if !values.contains(value) { values.append(value) }
      }
    }
    return values
  }

  /// A setting that is yes or no: whether a property has a value.
  init<Value: Equatable & Sendable>(
    flag name: String, _ value: Value, at path: any WritableKeyPath<JobSpecification, Value> & Sendable
  ) {
    let set: @Sendable (inout JobSpecification, Bool) -> Void = { job, isOn in
      // Off takes away this value only, not that of a sibling.
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

  /// Yes or no.
  static func isYes(_ text: String) throws(SettingProblem) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": true
    case "no", "false", "off", "0": false
    default: throw SettingProblem("\(SettingProblem.quote(text)) is neither yes nor no")
    }
  }

  /// A setting whose values are read where it is typed.
  init(
    reading name: String, _ shape: SettingShape = .string, put: Put? = nil, copy: @escaping Copy,
    values: @escaping Values
  ) {
    self.init(name, shape, values: values, put: put, copy: copy)
    needsReading = true
  }

  /// This setting, changed.
  func with(_ change: (inout Setting) -> Void) -> Setting {
    var copy = self
    change(&copy)
    return copy
  }

  /// This setting, whose values are secrets.
  var secret: Setting { with { $0.isSecret = { _ in true } } }
  /// This setting, which no list from elsewhere may have: it runs a program, or names a file.
  var own: Setting { with { $0.isForLists = false } }
  /// This setting, which is written by `dray export` only.
  var exported: Setting { with { $0.isTyped = false } }
  /// This setting, which also completes the jobs of clients.
  var forClients: Setting { with { $0.isForClients = true } }
  /// This setting, checked together with others.
  func with(_ group: String...) -> Setting { with { $0.group = group } }
  /// This setting, which a `[host]` section may set.
  func host(_ use: HostUse) -> Setting { with { $0.host = use } }
  /// This setting, of which a job can have one only.
  func one(of choice: Choice) -> Setting { with { $0.choice = choice } }
}
