// The parts of a request that move to another URL, and those that stay with their origin (P7).

import DrayCore
import Testing

@Suite("Requests for another URL")
struct RequestMovingTests {
  private func full() throws -> TransferRequest {
    var request = TransferRequest(url: try RequestURL.parse("https://one.example/a").url)
    request.method = "POST"
    request.headers = [HeaderField("X-Key", "geheim")]
    request.cookie = "c=geheim"
    request.referer = "https://one.example/geheim"
    request.credentials = Credentials(user: "ann", password: "geheim")
    request.body = RequestBody(path: "/spool/geheim", length: 1, contentType: nil)
    var authentication = AuthenticationOptions()
    authentication.bearer = "geheim"
    authentication.clientKeyPassword = "geheim"
    authentication.caPath = "/ca"
    request.authentication = authentication
    request.signature = AWSSignature(region: "r", sessionToken: "geheim")
    request.proxy = "http://proxy"
    request.userAgent = "T"
    request.isInsecure = true
    return request
  }

  @Test("another origin gets nothing secret, and a plain GET")
  func otherOrigin() throws {
    for other in ["https://two.example/a", "http://one.example/a", "https://one.example:8443/a"] {
      let moved = try full().moved(to: RequestURL.parse(other).url)
      #expect(moved.url.string == other && moved.method == "GET" && moved.body == nil)
      #expect(!"\(moved)".contains("geheim"), "\(moved)")
      #expect(moved.proxy == "http://proxy" && moved.userAgent == "T" && moved.isInsecure)
      #expect(moved.authentication?.caPath == "/ca")
    }
  }

  @Test("another origin gets no default entry of a .netrc; its own one does")
  func netrcDefault() throws {
    var request = try full()
    request.netrcFile = "/netrc"
    let home = request.url
    let sibling = try RequestURL.parse("https://one.example/b").url
    let other = try RequestURL.parse("https://two.example/b").url
    #expect(request.moved(to: sibling).netrcSkipsDefault == nil)
    #expect(request.moved(to: other).netrcSkipsDefault == true)
    #expect(request.moved(to: other).netrcFile == "/netrc")
    // A move to another origin sets this for good, even if a later move leads back.
    #expect(request.moved(to: other).moved(to: home).netrcSkipsDefault == true)
  }

  @Test("another origin gets everything if the user says so, except signing keys")
  func keepingCredentials() throws {
    var expected = try full()
    expected.url = try RequestURL.parse("https://two.example/b").url
    (expected.signature, expected.credentials) = (nil, nil)
    #expect(try full().moved(to: expected.url, keepingCredentials: true) == expected)
    var plain = try full()
    plain.signature = nil
    (expected.credentials) = plain.credentials
    #expect(plain.moved(to: expected.url, keepingCredentials: true) == expected)
    expected = try full()
    expected.url = try RequestURL.parse("s3://bucket/key").url
    #expect(try full().moved(to: expected.url, keepingCredentials: true) == expected)
  }

  @Test("dropped values are named, without a secret")
  func left() throws {
    let other = try RequestURL.parse("https://two.example/b").url
    var request = try full()
    request.headers.append(HeaderField("Accept", "x"))
    request.authentication?.scheme = .digest
    request.authentication?.pinnedPublicKey = "sha256//geheim"
    request.authentication?.clientCertificate = "/c"
    #expect(
      request.left(by: request.moved(to: other)) == [
        "the method POST and its body", "the header fields X-Key, Accept", "the cookies", "the referer",
        "the S3 keys", "the bearer token", "the authentication scheme", "the client certificate", "the pinned key",
      ])
    #expect(request.left(by: request.moved(to: other, keepingCredentials: true)) == ["the S3 keys"])
    #expect(request.left(by: request.moved(to: try RequestURL.parse("https://one.example/b").url)).isEmpty)
    // Credentials typed in the new URL replace the old ones.
    request.signature = nil
    var moved = request.moved(to: other)
    moved.takeUser("bob", "x")
    #expect(!request.left(by: moved).contains("user name and password"))
    #expect(TransferRequest(url: other).left(by: TransferRequest(url: request.url)).isEmpty)
  }

  @Test("within its origin a request is unchanged")
  func sameOrigin() throws {
    var expected = try full()
    expected.url = try RequestURL.parse("https://one.example/b?c").url
    #expect(try full().moved(to: expected.url) == expected)
  }
}
