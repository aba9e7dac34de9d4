// The fields of the request to each hop: the user's own go to the job's origin only (P7).

import DrayCore
import Testing

@testable import DrayEngine

@Suite struct RequestFieldsTests {
  /// The fields of every request.
  static let always = ["Accept-Encoding: identity", RequestFields.wantedDigests]

  @Test func whoeverWantsOtherDigestsAsksForThem() throws {
    var request = TransferRequest(url: try url("https://home.example/"))
    request.headers = [HeaderField("want-repr-digest", "sha-512=10")]
    let fields = RequestFields(request, to: request.url, asking: .whole)
    #expect(fields.lines == ["Accept-Encoding: identity", "want-repr-digest: sha-512=10"])
  }

  private func request() throws -> TransferRequest {
    var request = TransferRequest(url: try url("https://home.example/file?token=secret"))
    request.headers = [HeaderField("X-Own", "mine"), HeaderField("Accept", "")]
    request.cookie = "a=1"
    request.referer = "https://home.example/page"
    request.credentials = Credentials(user: "me", password: "pw")
    return request
  }

  @Test(arguments: [
    "https://home.example/file?token=secret", "https://home.example/other", "https://home.example:443/x",
    "https://HOME.example/",
  ])
  func whatGoesHome(_ target: String) throws {
    let fields = RequestFields(try request(), to: try url(target), asking: .whole)
    #expect(fields.lines == Self.always + ["X-Own: mine", "Accept:"])
    #expect(fields.cookie == "a=1")
    #expect(fields.referer == "https://home.example/page")
    #expect(fields.credentials == Credentials(user: "me", password: "pw"))
  }

  @Test(arguments: [
    "http://home.example/file", "https://home.example:8443/file", "https://cdn.home.example/file",
    "https://home.example.org/",
    "https://home.example./file",
  ])
  func whatGoesElsewhere(_ target: String) throws {
    let request = try request()
    let fields = RequestFields(request, to: try url(target), asking: .whole)
    #expect(fields.lines == Self.always)
    #expect(fields.cookie == nil)
    #expect(fields.referer == nil)
    #expect(fields.credentials == nil)
  }

  @Test func whoAsksIsTheHomeOriginsBusiness() throws {
    var request = try request()
    var authentication = AuthenticationOptions()
    authentication.scheme = .digest
    authentication.bearer = "token"
    (authentication.clientCertificate, authentication.clientKey) = ("/c.pem", "/k.pem")
    authentication.clientKeyPassword = "pw"
    request.authentication = authentication
    let home = RequestFields(request, to: request.url, asking: .whole)
    #expect(home.scheme == .digest && home.bearer == "token")
    #expect(home.clientCertificate == .init(file: "/c.pem", key: "/k.pem", password: "pw"))
    let other = RequestFields(request, to: try url("https://cdn.home.example/file"), asking: .whole)
    #expect(other.scheme == nil && other.bearer == nil && other.clientCertificate == nil)
  }

  @Test func negotiateNeedsNoName() throws {
    var request = TransferRequest(url: try url("https://home.example/"))
    request.authentication = AuthenticationOptions()
    request.authentication?.scheme = .negotiate
    let fields = RequestFields(request, to: request.url, asking: .whole)
    #expect(fields.credentials == Credentials(user: "", password: ""))
  }

  /// A .netrc applies if no password was given, at the job's own origin only.
  @Test(
    arguments: [
      (Credentials(user: "given", password: ""), nil, "http://h/f", Credentials(user: "given", password: "")),
      (nil, nil, "http://h/f", Credentials(user: "ann", password: "s")),
      (nil, "ann", "http://h/other", Credentials(user: "ann", password: "s")),
      (nil, "bob", "http://h/f", Credentials(user: "bob", password: "")),
      (nil, nil, "http://other/f", nil), (nil, "ann", "http://other/f", nil), (nil, nil, "http://h:81/f", nil),
    ] as [(Credentials?, String?, String, Credentials?)])
  func netrc(_ given: Credentials?, _ user: String?, _ asked: String, _ expected: Credentials?) throws {
    let directory = try TemporaryDirectory()
    try directory.write("machine h login ann password s\nmachine other login x password y\n".utf8, to: "netrc")
    var request = TransferRequest(url: try url("http://h/f"))
    (request.credentials, request.netrcUser, request.netrcFile) = (given, user, directory["netrc"])
    let asked = try url(asked)
    let fields = RequestFields(NetrcFile.completed(request, for: asked), to: asked, asking: .whole)
    #expect(fields.credentials == expected)
  }

  @Test func aNetrcThatIsGoneSaysNothing() throws {
    var request = TransferRequest(url: try url("http://h/f"))
    request.netrcFile = "/nonexistent/netrc"
    #expect(NetrcFile.completed(request, for: request.url).credentials == nil)
  }

  /// FTP's commands are lines: a word with a line end in it would be another command.
  @Test func lineEndsOfANetrcGoToNoFTPServer() throws {
    let directory = try TemporaryDirectory()
    try directory.write("machine h login ann password \"s\\r\\nDELE x\"\n".utf8, to: "netrc")
    var request = TransferRequest(url: try url("ftp://h/f"))
    request.netrcFile = directory["netrc"]
    #expect(NetrcFile.completed(request, for: request.url).credentials == nil)
    request.url = try url("http://h/f")
    #expect(NetrcFile.completed(request, for: request.url).credentials?.password == "s\r\nDELE x")
  }

  @Test(
    arguments: [
      (Ask.whole, []),
      (.rest(from: 10, .ifRange("\"v1\"")), ["Range: bytes=10-", "If-Range: \"v1\""]),
      (.rest(from: 10, .ifMatch("\"v1\"")), ["Range: bytes=10-", "If-Match: \"v1\""]),
      (.rest(from: 10, .overlap(5)), ["Range: bytes=10-"]),
    ] as [(Ask, [String])])
  func whatIsAskedForGoesEverywhere(_ ask: Ask, _ lines: [String]) throws {
    let fields = RequestFields(try request(), to: try url("http://elsewhere/"), asking: ask)
    #expect(fields.lines == Self.always + lines)
  }
}

@Suite struct RequestSignatureTests {
  @Test func fieldsAreOnesThatLibcurlSignsRight() {
    let signature = AWSSignature(region: "r", sessionToken: "t")
    let lines = RequestSignature.lines(
      ["Accept-Encoding: identity", "Range: bytes=1-", "Accept:", "X-A:  b   c "], signature, hasBody: false)
    #expect(
      lines == [
        "Range: bytes=1-", "X-A: b c", "x-amz-content-sha256: \(RequestSignature.emptyBody)",
        "x-amz-checksum-mode: ENABLED", "x-amz-security-token: t",
      ])
    #expect(RequestSignature.lines([], AWSSignature(), hasBody: true) == ["x-amz-content-sha256: UNSIGNED-PAYLOAD"])
  }

  @Test(arguments: [("https://files.s3.us-east-1.amazonaws.com/k", true), ("https://evil.example/k", false)])
  func keysStayWithTheirServer(asked: String, isSigned: Bool) throws {
    var request = TransferRequest(url: try RequestURL.parse("s3://files/k").url)
    request.signature = AWSSignature()
    request.credentials = Credentials(user: "AK", password: "s")
    let fields = RequestFields(request, to: try RequestURL.parse(asked).url, asking: .whole)
    #expect((fields.signature != nil) == isSigned && (fields.credentials != nil) == isSigned)
    #expect(fields.lines.contains { $0.hasPrefix("x-amz") } == isSigned)
  }
}
