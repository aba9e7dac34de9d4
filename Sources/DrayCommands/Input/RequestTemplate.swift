// Turns the options for requests into a request without a URL. All options are checked, and nothing is changed.

internal import DrayKit
internal import DrayStore

/// The settings that all requests of a command line share.
struct RequestTemplate: Sendable {
  private var request: TransferRequest
  private let access: AccessOptions
  private let environment: [String: String]
  /// The signature and the keys for signed requests; `nil` until a URL needs them.
  private var signing: (signature: AWSSignature?, keys: Credentials?)?
  private let cookies: CookieTemplate
  /// The .netrc that was read from a pipe, which can be read only once.
  private var netrc: Netrc?

  /// Checks the options.
  /// - Throws: Kind `usage` with the name of the option.
  init(_ arguments: RequestArguments, _ surroundings: Surroundings) throws(Failure) {
    var job = JobSpecification.plain
    try TypedSettings.put(arguments, into: &job)
    var request = job.request
    request.headers = try HeaderLine.parse(all: arguments.header) { (path) throws(Failure) in
      try surroundings.textContents(path, "--header")
    }
    cookies = try CookieTemplate(arguments.cookies, surroundings)
    request.cookie = cookies.cookie
    request.caFile = try RequestTemplate.caFile(arguments, surroundings)
    if let file = try RequestTemplate.netrc(arguments, surroundings) {
      switch file {
      case .path(let path): request.netrcFile = path
      case .content(let entries): netrc = entries
      }
    }
    access = try SchemeInput.access(arguments.schemes)
    environment = surroundings.environment
    // This comes last, because it may ask the user for a password.
    let authentication = try AuthenticationTemplate(
      user: arguments.user, arguments.authentication, surroundings,
      hasNetrc: request.netrcFile != nil || netrc != nil)
    request.credentials = authentication.credentials
    request.netrcUser = authentication.netrcUser
    request.authentication = authentication.options
    self.request = request
  }

  /// The trust that the options give. A section of the configuration for a host is not included.
  var trust: ServerTrust? { request.trust }

  /// Finds the keys for signing if a URL needs them.
  /// - Throws: Kind `usage`.
  mutating func prepare(for url: RequestURL) throws(Failure) {
    guard signing == nil, RequestTemplate.signs(url) else { return }
    var sample = request
    sample.url = url
    let complete = try sample.completed(access, environment: environment)
    signing = (complete.signature, complete.credentials)
  }

  /// The server for signed requests; `nil` if no URL needed one.
  var server: String? { signing?.signature?.server }

  mutating func add(_ shape: RequestShape, body: RequestBody?) { shape.apply(to: &request, body: body) }

  /// Whether requests without options of their own differ only in their URLs.
  var isUniform: Bool { netrc == nil && signing == nil && cookies.isUniform }

  func request(for entry: InputList.Entry, _ own: LineOptions) -> TransferRequest {
    var request = request
    if let home = own.home {
      request.url = home
      request = request.moved(to: entry.url)
    }
    // The user did not choose the origin of a source's URL, so secrets of the command line are not for it.
    if own.source != nil { request = request.withoutSecrets }
    request.url = entry.url
    request.cookies = cookies.options(for: entry.url)
    request.headers += own.headers
    // The requests that are sent before a job is queued (`--metalink`) need these two settings as well.
    request.userAgent = own["user-agent"] ?? request.userAgent
    request.referer = own["referer"] ?? request.referer
    if request.credentials == nil, request.netrcUser == nil, let info = own.userInfo {
      request.takeUser(info.user, info.password, hasNetrc: netrc != nil)
    }
    if let user = own.user { request.takeUser(user, own.password, hasNetrc: netrc != nil) }
    if let netrc, request.credentials == nil {
      request.credentials =
        netrc.credentials(
          for: entry.url.host, user: request.netrcUser, skippingDefault: request.netrcSkipsDefault ?? false)
        ?? request.netrcUser.map { Credentials(user: $0, password: "") }
      request.netrcUser = nil
    }
    if let signing, RequestTemplate.signs(entry.url) {
      request.signature = signing.signature
      request.credentials = signing.keys
    }
    return request
  }

  /// Returns the path of the file with the certificates to trust.
  /// - Throws: Kind `usage` if there is no such file.
  static func caFile(_ arguments: RequestArguments, _ surroundings: Surroundings) throws(Failure) -> String? {
    try arguments.cacert.map { (path) throws(Failure) in try surroundings.check(path, "--cacert") }
  }

  private static func signs(_ url: RequestURL) -> Bool { Scheme(url)?.abilities.contains(.signature) ?? false }

  /// Where a .netrc comes from: a path, which is read for each request, or a pipe, whose content is read once.
  private enum NetrcSource {
    case path(String)
    case content(Netrc)
  }

  private static func netrc(
    _ arguments: RequestArguments, _ surroundings: Surroundings
  ) throws(Failure) -> NetrcSource? {
    if let file = arguments.netrcFile { return try netrc(file, "--netrc-file", surroundings) }
    guard arguments.netrc else { return nil }
    let home = surroundings.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let home = home ?? StateDirectory.passwordDatabaseHome() else {
      throw OptionValue.bad("--netrc", "the home directory is unknown: name the file with --netrc-file")
    }
    return try netrc(PathText.join(home, ".netrc"), "--netrc", surroundings)
  }

  private static func netrc(
    _ path: String, _ option: String, _ surroundings: Surroundings
  ) throws(Failure) -> NetrcSource {
    guard path == "-" || surroundings.isPipe(path) else { return .path(try surroundings.checkText(path, option)) }
    return .content(Netrc(try surroundings.textContents(path, option, limit: Netrc.longest).utf8))
  }
}
