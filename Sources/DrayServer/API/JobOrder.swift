// A job as a client requests it, and the specification that follows from the request.

internal import DrayCore
internal import DrayDocuments

struct JobOrder: Sendable, Equatable {
  var url: String
  var mirrors: [String] = []
  /// An absolute path, or a path below the default directory.
  var directory: String?
  var output: String?
  var headers: [String] = []
  var group: String?
  /// The user name for the URL's server; `password` belongs to it. A user name in the URL takes precedence.
  var user: String?
  var password: String?
  /// The platform of an image; `nil` for that of the service's machine.
  var platform: String?
  var settings = JobSettings()
  var isPaused = false

  static let fields: [APIField] =
    [
      APIField("url", .text(isNeeded: true), "Where the file is.", isNeeded: true),
      APIField("mirrors", .list(.text(isNeeded: true), most: 1000), "Other URLs of the same file."),
      APIField(
        "directory", .nullable(.text(most: 4096)),
        "Where it goes: a root, or a folder below one, which is made; relative to the default."),
      APIField("output", .nullable(.text(most: 255)), "Its name; the server names it otherwise."),
      APIField("headers", .list(.text(), most: 100), "Header fields of its requests, each as Name: value."),
      APIField("group", .nullable(.text(most: 200)), "The name of the group that it belongs to."),
      APIField("user", .nullable(.text(most: 1000)), "The user name for the URL's server."),
      APIField("password", .nullable(.text(most: 4096)), "The password of that user."),
      APIField(
        "platform", .nullable(.text(most: 100)),
        "If the URL is the name of an image: its platform, as linux/arm64; otherwise that of the service's machine."),
      APIField("paused", .flag, "Whether it waits to be resumed."),
    ] + JobSettings.fields(JobSettings.all)

  static let schema = APISchema.object(fields)

  /// Reads a JSON value that matches ``schema``.
  init(_ node: JSONNode) {
    url = node["url"]?.string ?? ""
    mirrors = node["mirrors"]?.texts ?? []
    (directory, output) = (node["directory"]?.string, node["output"]?.string)
    group = node["group"]?.string
    (user, password) = (node["user"]?.string, node["password"]?.string)
    settings = JobSettings(node, JobSettings.all)
    headers = node["headers"]?.texts ?? []
    platform = node["platform"]?.string
    isPaused = node["paused"]?.isTrue ?? false
  }

  init(url: String) { self.url = url }

  // MARK: The specification

  /// Returns the specification that the client requests. Another part of the service decides whether the client may
  /// have such a job.
  /// - Parameters:
  ///   - base: The default directory.
  ///   - home: The directory that replaces `~`.
  /// - Throws: ``APIFailure`` that names the URL, if a value is invalid.
  func specification(base: String, home: String? = nil) throws(APIFailure) -> JobSpecification {
    let parsed = try JobOrder.parse(url)
    let shown = TextSafety.escaped(parsed.url.description)
    var request = TransferRequest(url: parsed.url)
    request.headers = try RequestFieldLine.fields(headers, of: shown)
    if let info = parsed.userInfo {
      request.takeUser(info.user, info.password)
    } else if let user, !user.isEmpty {
      request.takeUser(user, password)
      guard [user, password ?? ""].allSatisfy(CredentialRule.isSendable) else {
        throw .bad("\(shown): the user or the password has a control character in it")
      }
    }
    var job = JobSpecification(
      request: request, directory: JobOrder.directory(directory, base: base, home: home),
      output: output.flatMap { $0.isEmpty ? nil : $0 })
    // No user can be asked, so an existing file stays, and the new one gets another name.
    job.options.onConflict = .rename
    var seen: Set<RequestURL> = [parsed.url]
    let others = try mirrors.map { (text) throws(APIFailure) in try JobOrder.parse(text).url }
    let mirrors = others.filter { seen.insert($0).inserted }
    if !mirrors.isEmpty { job.options.mirrors = mirrors }
    try settings.put(into: &job, "\(shown): ")
    job.namePartInOrder()
    if let group, !group.isEmpty { job.group = try JobOrder.group(group, in: job.directory, of: shown) }
    return job
  }

  /// Returns the platform of the image; `nil` for that of this machine.
  func imagePlatform() throws(APIFailure) -> ImagePlatform? {
    guard let platform, !platform.isEmpty else { return nil }
    guard let parsed = ImagePlatform(platform) else {
      throw .bad("platform: this is not a platform", advice: "write it as linux/arm64")
    }
    return parsed
  }

  static func parse(_ text: String) throws(APIFailure) -> RequestURL.Parsed {
    do throws(URLParseError) {
      return try RequestURL.parse(text)
    } catch {
      let shown = TextSafety.escaped(URLRedaction.redacted(text.start(200)))
      throw .bad(
        "\(shown) is not a URL that can be fetched: \(error.message)", advice: "write it like https://example.org/file")
    }
  }

  /// Returns the full path of a directory. A relative directory lies below `base`.
  static func directory(_ text: String?, base: String, home: String? = nil) -> String {
    guard let text, !text.isEmpty else { return base }
    let path = PathText.homed(text, home: home)
    return path.hasPrefix("/") || ObjectPlace.isMeant(by: path) ? path : PathText.join(base, path)
  }

  /// Returns the group with the name that the client gave. dray identifies groups by URLs, so this group gets a URL
  /// whose host cannot exist (RFC 2606 §2).
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
  var texts: [String]? { array?.compactMap(\.string) }
  var integers: [Int64]? { array?.compactMap(\.integer) }
  var isTrue: Bool { if case .bool(true) = value { true } else { false } }
}
