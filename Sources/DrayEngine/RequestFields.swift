// Which fields and credentials a request to a URL carries: what is secret stays with its origin (P7).

internal import DrayCore

/// What one request sends, decided from the job's request, the URL of this hop, and what is asked for.
struct RequestFields: Equatable {
  /// The header fields, one line each, in libcurl's forms (CURLOPT_HTTPHEADER(3)).
  var lines: [String]
  /// The `Cookie` field.
  var cookie: String?
  /// The `Referer` field.
  var referer: String?
  /// User name and password.
  var credentials: Credentials?
  /// The `.netrc` to look into.
  var netrcFile: String?
  /// What the request is signed with, its credentials being the keys.
  var signature: AWSSignature?

  /// Bytes from which on the server is asked first whether it takes a body (`Expect: 100-continue`), as curl does.
  static let announced: Int64 = 1 << 20

  /// Decides for a request to `url`. Fields of the user's own, cookies, `Referer` and credentials go to the origin of
  /// the job's URL only; they are sent again where a chain of redirects returns there.
  init(_ request: TransferRequest, to url: RequestURL, asking ask: Ask) {
    let isHome = url.origin == request.address.origin
    // identity: with gzip asked for, some networks ignore Range, and ranges of a coding are no ranges of the file.
    lines = ["Accept-Encoding: identity"]
    lines += ask.fields.map { "\($0.name): \($0.value)" }
    if let body = request.body {
      // It goes wherever the redirects lead, and its type with it. A small one is not announced first.
      if let type = body.contentType { lines.append("Content-Type: \(type)") }
      if body.length < RequestFields.announced { lines.append("Expect:") }
    }
    if isHome {
      // libcurl's forms: "Name;" sends a field without value, "Name:" takes a field away.
      lines += request.headers.map { $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)" }
      cookie = request.cookie
      referer = request.referer
      credentials = request.credentials
      netrcFile = request.credentials == nil ? request.netrcFile : nil
      if let signature = request.signature, credentials != nil {
        self.signature = signature
        lines = RequestSignature.lines(lines, signature, hasBody: request.body != nil)
      }
    }
  }
}
