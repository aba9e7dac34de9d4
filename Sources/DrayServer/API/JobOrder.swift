// A job as a client asks for it, and what it comes to.

internal import DrayCore
internal import DrayDocuments

/// What a client says of a job.
struct JobOrder: Sendable, Equatable {
  var url: String
  var mirrors: [String] = []
  /// Absolute, or below the default.
  var directory: String?
  var output: String?
  var checksum: String?
  var headers: [String] = []
  var group: String?
  var priority = 0
  var limitRate: String?
  var after: [JobID] = []
  var isPaused = false

  /// The fields.
  static let fields: [APIField] = [
    APIField("url", .text(isNeeded: true), "Where the file is.", isNeeded: true),
    APIField("mirrors", .list(.text(isNeeded: true), most: 1000), "Other URLs of the same file."),
    APIField(
      "directory", .nullable(.text(most: 4096)),
      "Where it goes: a root, or a folder below one, which is made; relative to the default."),
    APIField("output", .nullable(.text(most: 255)), "Its name; the server names it otherwise."),
    APIField("checksum", .nullable(.text(most: 300)), "The digest that it must have, as ALGORITHM=HEX."),
    APIField("headers", .list(.text(), most: 100), "Header fields of its requests, each as Name: value."),
    APIField("group", .nullable(.text(most: 200)), "The name of the group that it belongs to."),
    APIField("priority", .integer(-1_000_000...1_000_000), "Higher runs first; 0 otherwise."),
    APIField("limitRate", .nullable(.text(most: 40)), "Bytes a second at most, such as 500k or 2M."),
    APIField("after", .list(.id, most: 1000), "The jobs that must be complete before it starts."),
    APIField("paused", .flag, "Whether it waits to be resumed."),
  ]

  static let schema = APISchema.object(fields)

  /// Reads a value that fits ``schema``.
  init(_ node: JSONNode) {
    url = node["url"]?.string ?? ""
    mirrors = node["mirrors"]?.texts ?? []
    (directory, output) = (node["directory"]?.string, node["output"]?.string)
    (checksum, group, limitRate) = (node["checksum"]?.string, node["group"]?.string, node["limitRate"]?.string)
    headers = node["headers"]?.texts ?? []
    priority = node["priority"]?.integer.map { Int($0) } ?? 0
    after = node["after"]?.integers ?? []
    isPaused = node["paused"]?.isTrue ?? false
  }

  init(url: String) { self.url = url }

  // MARK: The job

  /// The job that it asks for. Whether a caller may have it is decided elsewhere.
  /// - Parameter base: the directory of jobs that name none.
  /// - Throws: what cannot be read, with the URL.
  func specification(base: String) throws(APIFailure) -> JobSpecification {
    let parsed = try JobOrder.parse(url)
    let shown = TextSafety.escaped(parsed.url.description)
    var request = TransferRequest(url: parsed.url)
    request.headers = try RequestFieldLine.fields(headers, of: shown)
    if let info = parsed.userInfo { request.takeUser(info.user, info.password) }
    var job = JobSpecification(
      request: request, directory: JobOrder.directory(directory, base: base),
      output: output.flatMap { $0.isEmpty ? nil : $0 },
      priority: priority, after: after)
    // Nobody sits there who could be asked: nothing is replaced, and nothing is lost.
    job.options.onConflict = .rename
    var seen: Set<RequestURL> = [parsed.url]
    let others = try mirrors.map { (text) throws(APIFailure) in try JobOrder.parse(text).url }
    let mirrors = others.filter { seen.insert($0).inserted }
    if !mirrors.isEmpty { job.options.mirrors = mirrors }
    do throws(QuantityParseError) {
      job.options.rateLimit = try limitRate.flatMap { (text) throws(QuantityParseError) in try LimitsOrder.rate(text) }
    } catch {
      throw .bad("\(shown): limitRate: \(error.message)")
    }
    if let checksum, !checksum.isEmpty {
      do throws(DigestParseError) {
        job.options.digest = try DigestValue.parse(checksum)
      } catch {
        throw .bad("\(shown): checksum: \(error.message)")
      }
    }
    if let group, !group.isEmpty { job.group = try JobOrder.group(group, in: job.directory, of: shown) }
    return job
  }

  /// Reads a URL.
  static func parse(_ text: String) throws(APIFailure) -> RequestURL.Parsed {
    do throws(URLParseError) {
      return try RequestURL.parse(text)
    } catch {
      let shown = TextSafety.escaped(URLRedaction.redacted(text.start(200)))
      throw .bad(
        "\(shown) is not a URL that can be fetched: \(error.message)", advice: "write it like https://example.org/file")
    }
  }

  /// A directory, below the base if it is relative.
  static func directory(_ text: String?, base: String) -> String {
    guard let text, !text.isEmpty else { return base }
    return text.hasPrefix("/") ? text : PathText.join(base, text)
  }

  /// A group that somebody named. Groups go by URLs, so this is one of a host that nobody can have (RFC 2606 §2).
  private static func group(_ name: String, in directory: String, of shown: String) throws(APIFailure) -> JobGroup {
    let marks = ["%": "%25", "/": "%2F", "?": "%3F", "#": "%23", "\\": "%5C"]
    let path = name.map { marks[String($0)] ?? String($0) }.joined()
    guard let url = try? RequestURL.parse("http://group.invalid/\(path)").url else {
      throw .bad("\(shown): group: this cannot be the name of a group")
    }
    return JobGroup(url: url, directory: directory)
  }
}

extension JSONNode {
  /// The strings of an array.
  var texts: [String]? { array?.compactMap(\.string) }
  /// The whole numbers of an array.
  var integers: [Int64]? { array?.compactMap(\.integer) }
  /// Whether it is `true`.
  var isTrue: Bool { if case .bool(true) = value { true } else { false } }
}
