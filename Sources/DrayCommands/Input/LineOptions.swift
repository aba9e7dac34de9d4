// The settings of one URL: from the indented lines of a list, from a line of JSON, or from a document.

internal import DrayDocuments
internal import DrayKit

/// The settings of one URL, including those typed within it.
struct LineOptions: Equatable, Sendable {
  var out: String?
  /// The name from a pattern in a typed URL. Unlike ``out``, it is the user's own.
  var patternName: String?
  var dir: String?
  var headers: [HeaderField] = []
  var digest: DigestValue?
  var size: Int64?
  var mirrors: [RequestURL] = []
  var adopts: Adoption?
  var userInfo: RequestURL.UserInfo?
  /// The user name and password in aria2's lists, instead of ``userInfo``.
  var user: String?
  var password: String?
  /// The other settings by name.
  var settings: [GivenSetting] = []
  var kept = KeptJob()
  /// The document that named the URL. Secrets of the command line are for the document's origin.
  var home: RequestURL?
  /// A document's description of the file. The other values take precedence.
  var offer: OfferedFile?
  var isPaused = false
  /// The line numbers of options in a list, by the options' names there and by the names of their settings. An error in
  /// an option names its line.
  var lines: [String: Int32] = [:]

  subscript(_ name: String) -> String? { settings.first { $0.name == name }?.values.last }

  /// The names of the given settings, except those of ``offer``.
  var given: Set<String> {
    var names = Set(settings.map(\.name))
    if !headers.isEmpty { names.insert("header") }
    if digest != nil { names.insert("checksum") }
    if size != nil { names.insert("size") }
    if !mirrors.isEmpty { names.insert("mirror") }
    if userInfo != nil || user != nil { names.insert("user") }
    return names
  }

  var isInsecure: Bool { self["insecure"].flatMap { try? Setting.isYes($0) } ?? false }

  /// Sets an option.
  /// - Returns: Whether the option means something here. Other options of aria2 are ignored.
  /// - Throws: Kind `usage`, with the name of `place`, for an invalid value, and for an option of neither dray nor
  ///   aria2.
  @discardableResult
  mutating func set(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    switch name {
    case "out": out = value
    case "dir": dir = value
    case "header": headers.append(try HeaderLine.parse(value, place))
    case "checksum": digest = try OptionValue.read(value, .digest, place)
    case "size": size = try OptionValue.read(value, .bytes, place)
    case let name where name != "mirror":
      guard let setting = Setting.named(name) else { return try setForeign(name, value, place) }
      GivenSetting.add(String(name), try LineOptions.checked(value, setting, place), to: &settings)
    default: return try setForeign(name, value, place)
    }
    return true
  }

  /// Returns the value to store. A relative time becomes an absolute one.
  private static func checked(_ value: String, _ setting: Setting, _ place: String) throws(Failure) -> String {
    guard setting.isPlain, setting.isTyped else { return value }
    var job = JobSpecification.plain
    do throws(SettingProblem) { try setting.set([value], in: &job, .current) } catch {
      throw OptionValue.bad(place, error)
    }
    return setting.name == "start-at" ? setting.values(job).last ?? value : value
  }

  /// Sets an option that has another name in aria2.
  private mutating func setForeign(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    guard AriaOption.names.contains(String(name)) else {
      throw OptionValue.bad(
        place, "\(OptionValue.quote(String(name))) is not an option of a list",
        advice: NearestName.find(String(name), among: Setting.listed.map(\.name) + AriaOption.used).map {
          "did you mean \($0)=?"
        } ?? "dray-set(1) has the names of all")
    }
    switch name {
    // The smaller of these two numbers limits the connections to one server.
    case "split":
      guard let count = Int(value), count > 0 else {
        throw OptionValue.bad(place, "\(OptionValue.quote(value)) is not a number of connections")
      }
      limitConnections(to: count)
    case "max-connection-per-server":
      limitConnections(to: try OptionValue.count(value, place, JobOptions.connectionRange))
    case "http-user", "ftp-user": user = value
    case "http-passwd", "ftp-passwd": password = value
    case "pause": isPaused = value == "true"
    case "auto-file-renaming":
      let policy = AriaMeaning.conflict(overwrites: self["on-conflict"] == "overwrite", renames: value != "false")
      return try set("on-conflict", policy.rawValue, place)
    // A list never has patterns, so only `false` has a meaning.
    case "parameterized-uri": return value == "false"
    default: return try setByHabit(name, value, place)
    }
    return true
  }

  /// Translates an option of aria2 as dray's command line does.
  private mutating func setByHabit(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    if let setting = AriaOption.setting(name) { return try set(setting[...], value, place) }
    let words: [String]
    do throws(Failure) {
      guard let found = try Habit.named("--\(name)")?.words(for: value, place) else { return false }
      words = found
    } catch {
      // The command line refuses this option. For one URL of many, ignore it.
      if Habit.named("--\(name)")?.isRefused ?? false { return false }
      throw error
    }
    guard let option = words.first?.dropFirst(2) else { return true }
    guard let setting = Setting.named(option), Setting.listed.contains(where: { $0.name == setting.name }),
      setting.isPlain
    else { return false }
    return try set(option, words.count == 2 ? words[1] : "yes", place)
  }

  private mutating func limitConnections(to count: Int) {
    let other = self["max-connections"].flatMap { Int($0) } ?? .max
    settings.removeAll { $0.name == "max-connections" }
    GivenSetting.add("max-connections", "\(AriaMeaning.connections([count, other]) ?? count)", to: &settings)
  }

  mutating func addMirror(_ text: String, _ place: String) throws(Failure) {
    let url = try OptionValue.read(text, .mirror, place)
    if !mirrors.contains(url) { mirrors.append(url) }
  }

  /// Applies the settings that are stored apart from the others to a job's options. Call this after applying the
  /// others.
  func apply(to options: inout JobOptions) {
    if let digest { (options.digest, options.digestSource) = (digest, nil) }
    if let size { options.expectedSize = size }
    if !mirrors.isEmpty { options.mirrors = mirrors }
    options.adopts = adopts ?? options.adopts
  }
}
