// What is said of one URL beside it: by the indented lines of a list, by a line of JSON, by a document.

internal import DrayDocuments
internal import DrayKit

/// What was said of one URL, and what was typed in the URL itself.
struct LineOptions: Equatable, Sendable {
  var out: String?
  var dir: String?
  var headers: [HeaderField] = []
  var digest: DigestValue?
  /// Who says so; `nil` is the user.
  var digestSource: DigestSource?
  var size: Int64?
  var type: ExpectedType?
  var pieces: PieceHashes?
  var mirrors: [RequestURL] = []
  var maxConnections: Int?
  var priority: Int?
  var after: [JobID]?
  var startAt: Double?
  var userAgent: String?
  var referer: String?
  var userInfo: RequestURL.UserInfo?
  /// The other settings that were given, by their names.
  var settings: [GivenSetting] = []
  /// What `dray export` says of the job that it was.
  var kept = KeptJob()
  /// The document that named the URL; secrets of the command line are for its origin.
  var home: RequestURL?

  static let names = [
    "out", "dir", "header", "checksum", "size", "expect-type", "priority", "after", "start-at", "max-connections",
    "max-connection-per-server", "user-agent", "referer",
  ]

  mutating func set(_ name: Substring, _ value: String, _ place: String) throws(Failure) {
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
    case "priority": priority = try OptionValue.count(value, place, OptionValue.priorities)
    case "after": after = (after ?? []) + (try OptionValue.ids([value], place))
    case "start-at": startAt = try OptionValue.start(value, place)
    // aria2 calls it max-connection-per-server.
    case "max-connections", "max-connection-per-server":
      maxConnections = try ConnectionArguments.count(value, place)
    case "user-agent": userAgent = value
    case "referer": referer = value
    case let name where JobSetting.named(name).map { $0.name != "mirror" } ?? false:
      GivenSetting.add(String(name), value, to: &settings)
    default:
      throw OptionValue.bad(
        place, "\(OptionValue.quote(String(name))) is not an option of a list",
        advice: NearestName.find(String(name), among: LineOptions.names + JobSetting.typedNames).map {
          "did you mean \($0)=?"
        }
          ?? "use \(LineOptions.names.map { $0 + "=" }.joined(separator: ", "))")
    }
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
    if let digest { (options.digest, options.digestSource) = (digest, digestSource) }
    if let size { options.expectedSize = size }
    if let type { options.expectedType = type }
    if let pieces { options.pieces = pieces }
    if !mirrors.isEmpty { options.mirrors = mirrors }
  }
}
