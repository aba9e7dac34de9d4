// What is said of one URL beside it: by the indented lines of a list, by a line of JSON, by a document.

internal import DrayDocuments
internal import DrayKit

/// What was said of one URL, and what was typed in the URL itself.
struct LineOptions: Equatable, Sendable {
  var out: String?
  /// The name that a pattern in a typed URL came to: it is the user's own, unlike ``out``.
  var patternName: String?
  var dir: String?
  var headers: [HeaderField] = []
  var digest: DigestValue?
  var size: Int64?
  var mirrors: [RequestURL] = []
  var adopts: Adoption?
  var userInfo: RequestURL.UserInfo?
  /// What aria2's lists have in the place of ``userInfo``.
  var user: String?
  var password: String?
  /// The other settings that were given, by their names.
  var settings: [GivenSetting] = []
  /// What `dray export` says of the job that it was.
  var kept = KeptJob()
  /// The document that named the URL; secrets of the command line are for its origin.
  var home: RequestURL?
  /// What a document says of the file. The other values go before it.
  var offer: OfferedFile?
  /// Whether it is queued and not started.
  var isPaused = false

  /// The last value that was given for a setting.
  subscript(_ name: String) -> String? { settings.first { $0.name == name }?.values.last }

  /// Whether certificates are not checked.
  var isInsecure: Bool { self["insecure"].flatMap { try? Setting.isYes($0) } ?? false }

  /// Sets one.
  /// - Returns: whether it means something here; an option of aria2's that does not is ignored.
  /// - Throws: kind `usage`, with the name of `place`, for a bad value, and for what is neither dray's nor aria2's.
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

  /// The value as it is kept: a time from now becomes one that stays.
  private static func checked(_ value: String, _ setting: Setting, _ place: String) throws(Failure) -> String {
    guard setting.isPlain, setting.isTyped else { return value }
    var job = JobSpecification.plain
    do throws(SettingProblem) { try setting.set([value], in: &job, .current) } catch {
      throw OptionValue.bad(place, error)
    }
    return setting.name == "start-at" ? setting.values(job).last ?? value : value
  }

  /// Sets what aria2 calls by another name.
  private mutating func setForeign(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    guard AriaOption.names.contains(String(name)) else {
      throw OptionValue.bad(
        place, "\(OptionValue.quote(String(name))) is not an option of a list",
        advice: NearestName.find(String(name), among: Setting.listed.map(\.name) + AriaOption.used).map {
          "did you mean \($0)=?"
        } ?? "dray-set(1) has the names of all")
    }
    switch name {
    // Of these two, the smaller number says how many connections one server gets.
    case "split":
      guard let count = Int(value), count > 0 else {
        throw OptionValue.bad(place, "\(OptionValue.quote(value)) is not a number of connections")
      }
      limitConnections(to: min(count, JobOptions.connectionRange.upperBound))
    case "max-connection-per-server":
      limitConnections(to: try OptionValue.count(value, place, JobOptions.connectionRange))
    case "http-user", "ftp-user": user = value
    case "http-passwd", "ftp-passwd": password = value
    case "pause": isPaused = value == "true"
    // Without them it is said to all of a list, which never has patterns.
    case "parameterized-uri": return value == "false"
    default: return try setByHabit(name, value, place)
    }
    return true
  }

  /// Sets what the same option of aria2's comes to on a command line.
  private mutating func setByHabit(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    let words: [String]
    do throws(Failure) {
      guard let found = try Habit.named("--\(name)")?.words(for: value, place) else { return false }
      words = found
    } catch {
      // On a command line it is refused; of one URL of many it is not worth that.
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
    GivenSetting.add("max-connections", "\(min(count, other))", to: &settings)
  }

  /// Adds another URL of the same file.
  mutating func addMirror(_ text: String, _ place: String) throws(Failure) {
    let url = try OptionValue.read(text, .mirror, place)
    if !mirrors.contains(url) { mirrors.append(url) }
  }

  /// Puts what is kept apart from the other settings into the options of a job. Those are put in last.
  func apply(to options: inout JobOptions) {
    if let digest { (options.digest, options.digestSource) = (digest, nil) }
    if let size { options.expectedSize = size }
    if !mirrors.isEmpty { options.mirrors = mirrors }
    options.adopts = adopts ?? options.adopts
  }
}
