// Which fields and credentials a request to a URL carries: what is secret stays with its origin (P7).

internal import DrayCore

/// What one request sends, decided from the job's request, the URL of this hop, and what is asked for.
struct RequestFields: Equatable {
  /// A certificate that proves who asks.
  struct ClientCertificate: Equatable {
    var file: String
    var key: String?
    var password: String?
  }

  /// The header fields, one line each, in libcurl's forms (CURLOPT_HTTPHEADER(3)).
  var lines: [String]
  /// The `Cookie` field.
  var cookie: String?
  /// The `Referer` field.
  var referer: String?
  /// User name and password.
  var credentials: Credentials?
  /// How they are sent; `nil` is Basic.
  var scheme: AuthenticationOptions.Scheme?
  /// A bearer token.
  var bearer: String?
  /// Who asks, over TLS.
  var clientCertificate: ClientCertificate?
  /// What the request is signed with, its credentials being the keys.
  var signature: AWSSignature?

  /// Bytes from which on the server is asked first whether it takes a body (`Expect: 100-continue`), as curl does.
  static let announced: Int64 = 1 << 20

  /// The digests that a server may send along (RFC 9530 §4), those first that are computed fastest among the safe ones.
  static let wantedDigests = "Want-Repr-Digest: sha-256=10, sha-512=7, md5=1"

  /// Decides for a request to `url`. Fields of the user's own, cookies, `Referer` and credentials go to the origin of
  /// the job's URL only; they are sent again where a chain of redirects returns there.
  init(_ request: TransferRequest, to url: RequestURL, asking ask: Ask) {
    let isHome = url.origin == request.address.origin
    // identity: with gzip asked for, some networks ignore Range, and ranges of a coding are not ranges of the file.
    lines = ["Accept-Encoding: identity"]
    if !isHome || !request.headers.contains(where: { $0.name.lowercased() == "want-repr-digest" }) {
      lines.append(RequestFields.wantedDigests)
    }
    lines += ask.fields.map { "\($0.name): \($0.value)" }
    if let body = request.body {
      // It goes wherever the redirects lead, and its type with it. A small one is not announced first.
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
    // With Negotiate the name is in the ticket; libcurl begins only where some name is given (--negotiate -u :).
    if scheme == .negotiate, credentials == nil { credentials = Credentials(user: "", password: "") }
  }

  /// A field in libcurl's forms: "Name;" sends it without value, "Name:" takes it away.
  private static func line(_ field: HeaderField) -> String {
    if field.value.isEmpty { return field.name + (field.isSentEmpty ?? false ? ";" : ":") }
    return "\(field.name): \(field.value)"
  }

  /// What has caches ask the server, old ones too (RFC 9111 §5.2.1.4, §5.4); what the user says of caches stands.
  private static func noCache(besides own: [HeaderField]) -> [String] {
    [("Cache-Control", "no-cache"), ("Pragma", "no-cache")].compactMap { name, value in
      own.contains { $0.name.lowercased() == name.lowercased() } ? nil : "\(name): \(value)"
    }
  }
}
