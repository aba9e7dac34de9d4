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
  var type: ExpectedType?
  var allowedTypes: [ExpectedType]?
  var mirrors: [RequestURL] = []
  var adopts: Adoption?
  var maxConnections: Int?
  var priority: Int?
  var after: [JobID]?
  var startAt: Double?
  var userAgent: String?
  var referer: String?
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
  /// No limit, or one, where it is said.
  var limitRate: Int64??
  var maxTime: Double?
  var maxSize: Int64?
  var retries: Int?
  var retryWait: Double?
  var connectTimeout: Double?
  var stallTimeout: Double?
  var onConflict: ConflictPolicy?
  var proxy: String?
  var isInsecure: Bool?
  /// Whether it is queued and not started.
  var isPaused = false

  static let names = [
    "out", "dir", "header", "checksum", "size", "expect-type", "allow-type", "priority", "after", "start-at",
    "max-connections", "max-connection-per-server", "limit-rate", "max-time", "max-filesize", "retries", "retry-wait",
    "connect-timeout", "stall-timeout", "on-conflict", "proxy", "user-agent", "referer",
  ]

  /// Sets one.
  /// - Returns: whether it means something here; an option of aria2's that does not is ignored.
  /// - Throws: kind `usage`, with the name of `place`, for a bad value, and for what is neither dray's nor aria2's.
  @discardableResult
  mutating func set(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    switch name {
    case "out": out = value
    case "dir": dir = value
    case "header": headers.append(try HeaderLine.parse(value, place))
    case "checksum": digest = try OptionValue.digest(value, place)
    case "size":
      guard let count = Int64(value), count >= 0 else {
        throw OptionValue.bad(place, "\(OptionValue.quote(value)) is not a number of bytes")
      }
      size = count
    case "expect-type": type = try OptionValue.type(value, place)
    case "allow-type": allowedTypes = try OptionValue.types([value], place)
    case "priority": priority = try OptionValue.count(value, place, OptionValue.priorities)
    case "after": after = (after ?? []) + (try OptionValue.ids([value], place))
    case "start-at": startAt = try OptionValue.start(value, place)
    case "max-connections": maxConnections = try ConnectionArguments.count(value, place)
    case "user-agent": userAgent = value
    case "referer": referer = value
    case "limit-rate": limitRate = .some(try OptionValue.limit(value, place))
    case "max-time": maxTime = try OptionValue.seconds(value, place, mayBeZero: false)
    case "max-filesize": maxSize = try OptionValue.size(value, place)
    case "retries": retries = try OptionValue.count(value, place, JobOptions.retryRange)
    case "retry-wait": retryWait = try OptionValue.seconds(value, place)
    case "connect-timeout": connectTimeout = try OptionValue.seconds(value, place, mayBeZero: false)
    case "stall-timeout": stallTimeout = try OptionValue.seconds(value, place, mayBeZero: false)
    case "on-conflict":
      guard let policy = ConflictPolicy(rawValue: value) else {
        let known = ConflictPolicy.allCases.map(\.rawValue).joined(separator: ", ")
        throw OptionValue.bad(place, "\(OptionValue.quote(value)) is not one of \(known)")
      }
      onConflict = policy
    case "proxy": proxy = value == "off" ? "" : try ProxyAddress.parse(value, place)
    case "insecure": isInsecure = try JobSetting.flag(value, place)
    case let name where JobSetting.named(name).map { $0.name != "mirror" } ?? false:
      GivenSetting.add(String(name), value, to: &settings)
    default: return try setForeign(name, value, place)
    }
    return true
  }

  /// Sets what aria2 calls by another name.
  private mutating func setForeign(_ name: Substring, _ value: String, _ place: String) throws(Failure) -> Bool {
    guard AriaOption.names.contains(String(name)) else {
      throw OptionValue.bad(
        place, "\(OptionValue.quote(String(name))) is not an option of a list",
        advice: NearestName.find(String(name), among: LineOptions.names + JobSetting.typedNames + AriaOption.used).map {
          "did you mean \($0)=?"
        }
          ?? "use \(LineOptions.names.map { $0 + "=" }.joined(separator: ", "))")
    }
    switch name {
    // Of these two, the smaller number says how many connections one server gets.
    case "split":
      guard let count = Int(value), count > 0 else {
        throw OptionValue.bad(place, "\(OptionValue.quote(value)) is not a number of connections")
      }
      maxConnections = min(maxConnections ?? .max, count, JobOptions.connectionRange.upperBound)
    case "max-connection-per-server":
      maxConnections = min(maxConnections ?? .max, try ConnectionArguments.count(value, place))
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
    if option == "insecure" {
      isInsecure = true
      return true
    }
    guard words.count == 2, LineOptions.names.contains(String(option)) else { return false }
    return try set(option, words[1], place)
  }

  /// Adds another URL of the same file.
  mutating func addMirror(_ text: String, _ place: String) throws(Failure) {
    do throws(URLParseError) {
      let url = try RequestURL.parse(text).url
      if !mirrors.contains(url) { mirrors.append(url) }
    } catch {
      throw OptionValue.bad(place, "a mirror: \(error.message)")
    }
  }

  /// What of it goes into the options of a job.
  func apply(to options: inout JobOptions) {
    if let digest { (options.digest, options.digestSource) = (digest, nil) }
    if let size { options.expectedSize = size }
    if let type { options.expectedType = type }
    if let allowedTypes { options.allowedTypes = allowedTypes }
    if !mirrors.isEmpty { options.mirrors = mirrors }
    options.onConflict = onConflict ?? options.onConflict
    options.maxTime = maxTime ?? options.maxTime
    options.maxSize = maxSize ?? options.maxSize
    options.adopts = adopts ?? options.adopts
  }

  /// What of it goes before what the configuration says of the URL's host.
  func applyLast(to job: inout JobSpecification) {
    job.options.maxConnections = maxConnections ?? job.options.maxConnections
    if let limitRate { job.options.rateLimit = limitRate }
    job.options.retries = retries ?? job.options.retries
    job.options.retryWait = retryWait ?? job.options.retryWait
    job.request.connectTimeout = connectTimeout ?? job.request.connectTimeout
    job.request.stallTimeout = stallTimeout ?? job.request.stallTimeout
    job.request.proxy = proxy ?? job.request.proxy
    job.request.isInsecure = isInsecure ?? job.request.isInsecure
  }
}
