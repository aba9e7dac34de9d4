// The settings for one URL: from the indented lines of a list, from a line of JSON, or from a document.

internal import DrayDocuments
internal import DrayKit

/// The settings for one URL, including those that are part of the typed URL.
struct LineOptions: Equatable, Sendable {
  var out: String?
  /// The file name that a pattern in a typed URL gives. Unlike ``out``, this name comes from the user.
  var patternName: String?
  var dir: String?
  var headers: [HeaderField] = []
  var digest: DigestValue?
  var size: Int64?
  var mirrors: [RequestURL] = []
  var adopts: Adoption?
  var userInfo: RequestURL.UserInfo?
  /// The user name and the password in a list of aria2's format, in place of ``userInfo``.
  var user: String?
  var password: String?
  /// All other settings by name.
  var settings: [GivenSetting] = []
  var exported = ExportedJob()
  /// The URL of the document that named this URL. Secrets of the command line are meant for the origin of that
  /// document.
  var home: RequestURL?
  /// What a document says about the file. The values in the other properties take precedence.
  var offer: OfferedFile?
  /// The name of files in a source that stands in place of a URL, until the source is asked (``SourceInput``).
  var name: SourceName?
  /// The file and the line of a name in a list.
  var place: String?
  /// The source that gave the URL.
  var source: SourceReference?
  /// The group of the files of one name.
  var group: JobGroup?
  var isPaused = false
  /// The numbers of the lines with options, by the names that the options have in the list, and by the names of their
  /// settings. They serve to name the line if an option has an error.
  var lines: [String: Int32] = [:]

  subscript(_ name: String) -> String? { settings.first { $0.name == name }?.values.last }

  /// The names of the settings that were given, without those of ``offer``.
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
  /// - Returns: Whether the option has a meaning for dray. An option of aria2 that has none is ignored.
  /// - Throws: Kind `usage` with the name of `place`, for an invalid value, and for an option that neither dray nor
  ///   aria2 has.
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

  /// Returns the value to store. A relative time is replaced by an absolute one.
  private static func checked(_ value: String, _ setting: Setting, _ place: String) throws(Failure) -> String {
    guard setting.isPlain, setting.isTyped else { return value }
    var job = JobSpecification.plain
    do throws(SettingProblem) { try setting.set([value], in: &job, .current) } catch {
      throw OptionValue.bad(place, error)
    }
    return setting.name == "start-at" ? setting.values(job).last ?? value : value
  }

  /// Sets an option whose name in aria2 is not the one in dray.
  private mutating func setForeign(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    guard AriaOption.names.contains(String(name)) else {
      throw OptionValue.bad(
        place, "\(OptionValue.quote(String(name))) is not an option of a list",
        advice: NearestName.find(String(name), among: Setting.listed.map(\.name) + AriaOption.used).map {
          "did you mean \($0)=?"
        } ?? "dray-set(1) has the names of all")
    }
    switch name {
    // The smaller of this number and that of `max-connection-per-server` limits the connections to one server.
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
    // URLs in a list never contain patterns, so only the value `false` agrees with that.
    case "parameterized-uri": return value == "false"
    default: return try setByHabit(name, value, place)
    }
    return true
  }

  /// Translates an option of aria2 in the same way as on dray's command line.
  private mutating func setByHabit(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    if let setting = AriaOption.setting(name) { return try set(setting[...], value, place) }
    let words: [String]
    do throws(Failure) {
      guard let found = try Habit.named("--\(name)")?.words(for: value, place) else { return false }
      words = found
    } catch {
      // dray's command line refuses this option. Here, where it concerns one URL of many, it is ignored.
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

  /// Applies the settings that have properties of their own to the options of a job. This must be called after the
  /// other settings were applied.
  func apply(to options: inout JobOptions) {
    if let digest { (options.digest, options.digestSource) = (digest, nil) }
    if let size { options.expectedSize = size }
    if !mirrors.isEmpty { options.mirrors = mirrors }
    options.adopts = adopts ?? options.adopts
  }
}
