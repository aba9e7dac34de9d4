// What goes along when a request is made of another URL, and what stays with its origin (P7).

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

  @Test("within its origin it stays as it is")
  func sameOrigin() throws {
    var expected = try full()
    expected.url = try RequestURL.parse("https://one.example/b?c").url
    #expect(try full().moved(to: expected.url) == expected)
  }
}
