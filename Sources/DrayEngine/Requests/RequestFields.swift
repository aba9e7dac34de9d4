// Decides which header fields and credentials a request carries. Secrets are sent only to their origin (P7).

internal import DrayCore

/// The header fields and credentials of a request, which depend on the job's request, the current URL, and the bytes to
/// request.
struct RequestFields: Equatable {
  struct ClientCertificate: Equatable {
    var file: String
    var key: String?
    var password: String?
  }

  /// The header fields, as lines in libcurl's syntax (CURLOPT_HTTPHEADER(3)).
  var lines: [String]
  var cookie: String?
  var referer: String?
  var credentials: Credentials?
  /// The authentication scheme; `nil` means Basic.
  var scheme: AuthenticationOptions.Scheme?
  var bearer: String?
  var clientCertificate: ClientCertificate?
  /// The signature; its keys are in ``credentials``.
  var signature: AWSSignature?

  /// The minimum length of a body that is sent only after the server has agreed (`Expect: 100-continue`); the same
  /// length as in curl.
  static let announced: Int64 = 1 << 20

  /// The field that asks for digests (RFC 9530 §4). Secure digests come first, the fastest of them at the top.
  static let wantedDigests = "Want-Repr-Digest: sha-256=10, sha-512=7, md5=1"

  /// Decides about a request to `url`. The user's header fields, cookies, `Referer` and credentials go only to the
  /// origin of the job's URL. If a chain of redirects returns to that origin, they are sent again.
  init(_ request: TransferRequest, to url: RequestURL, asking ask: Ask) {
    let isHome = url.origin == request.address.origin
    // Request no coding: with gzip, some networks ignore `Range`, and ranges of the coded file are not ranges of the
    // file itself.
    lines = ["Accept-Encoding: identity"]
    if !isHome || !request.headers.contains(where: { $0.name.lowercased() == "want-repr-digest" }) {
      lines.append(RequestFields.wantedDigests)
    }
    lines += ask.fields.map { "\($0.name): \($0.value)" }
    if let body = request.body {
      // The body and its type follow redirects to any origin. A small body is sent at once, without `Expect`.
      if let type = body.contentType { lines.append("Content-Type: \(type)") }
      if body.length < RequestFields.announced { lines.append("Expect:") }
    }
    if request.cache?.noCache ?? false { lines += RequestFields.noCache(besides: isHome ? request.headers : []) }
    guard isHome else { return }
    lines += request.headers.map(RequestFields.line)
    cookie = request.cookie
    referer = request.referer
    credentials = request.credentials
    if let signature = request.signature, credentials != nil {
      self.signature = signature
      lines = RequestSignature.lines(
        lines.filter { $0 != RequestFields.wantedDigests }, signature, hasBody: request.body != nil)
    }
    guard let authentication = request.authentication else { return }
    scheme = authentication.scheme
    bearer = authentication.bearer
    clientCertificate = authentication.clientCertificate.map {
      ClientCertificate(file: $0, key: authentication.clientKey, password: authentication.clientKeyPassword)
    }
    // With Negotiate, the ticket contains the user name, but libcurl only starts if a user name is set (--negotiate -u
    // :).
    if scheme == .negotiate, credentials == nil { credentials = Credentials(user: "", password: "") }
  }

  /// Returns a line in libcurl's syntax. In it, `Name;` sends a field without a value, and `Name:` omits the field.
  private static func line(_ field: HeaderField) -> String {
    if field.value.isEmpty { return field.name + (field.isSentEmpty ?? false ? ";" : ":") }
    return "\(field.name): \(field.value)"
  }

  /// Returns the fields that make caches, even old ones, ask the server (RFC 9111 §5.2.1.4, §5.4). The user's own
  /// fields take precedence.
  private static func noCache(besides own: [HeaderField]) -> [String] {
    [("Cache-Control", "no-cache"), ("Pragma", "no-cache")].compactMap { name, value in
      own.contains { $0.name.lowercased() == name.lowercased() } ? nil : "\(name): \(value)"
    }
  }
}
