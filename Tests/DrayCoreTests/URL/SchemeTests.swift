// Accepted URLs of ftp, ftps, sftp, s3 and file, who may name them, and their limits.

import Foundation
import Testing

@testable import DrayCore

@Suite struct SchemeTests {
  @Test(
    arguments: [
      ("FTP://H/a b", "ftp://h/a%20b"), ("ftp://h:21/f", "ftp://h/f"), ("ftp://h:2121/f", "ftp://h:2121/f"),
      ("ftps://h:990/f", "ftps://h/f"), ("sftp://h:22/~/f", "sftp://h/~/f"), ("ftp://u:p@h/f", "ftp://h/f"),
      // A question mark is part of the name in schemes without queries.
      ("ftp://h/what?.txt", "ftp://h/what%3F.txt"), ("sftp://h/a?b", "sftp://h/a%3Fb"),
      ("ftp://h/%2Fetc/motd", "ftp://h/%2Fetc/motd"), ("ftp://h/d/../f", "ftp://h/f"),
      ("ftp://h/f;type=i", "ftp://h/f"), ("ftp://h/f;TYPE=I", "ftp://h/f"), ("ftp://h/f;type=", "ftp://h/f;type="),
      ("file:///a/b", "file:///a/b"), ("file:/a/b", "file:///a/b"), ("file://localhost/a", "file:///a"),
      ("FILE:///ü", "file:///%C3%BC"), ("file:///a?b", "file:///a%3Fb"), ("file:///a%0Ab", "file:///a%0Ab"),
      ("s3://my-bucket/a/b c", "s3://my-bucket/a/b%20c"), ("s3://b.u.c/k?v", "s3://b.u.c/k%3Fv"),
    ])
  func normalForm(typed: String, expected: String) throws {
    let url = try RequestURL.parse(typed).url
    #expect(url.string == expected)
    #expect(try RequestURL.parse(url.string).url == url)
    let coded = try JSONDecoder().decode([RequestURL].self, from: JSONEncoder().encode([url]))
    #expect(coded == [url])
  }

  @Test(
    arguments: [
      ("ftp://h/a%0d%0aDELE%20b", "control"), ("ftps://h/a%00", "control"), ("ftp://h/%7f", "control"),
      ("ftp://h/a?%0A", "control"), ("sftp://h/a%00b", "control"), ("file:///a%00b", "control"),
      ("ftp://u%0d%0ax@h/f", "control"), ("ftp://h/", "directory"), ("ftp://h", "directory"),
      ("sftp://h/d/", "directory"), ("file:///", "directory"), ("file:///etc/", "directory"),
      ("ftp://h/f;type=a", ";type=a"), ("ftp://h/d;type=d", ";type=d"), ("file://host/f", "this machine"),
      ("file://u@localhost/f", "this machine"), ("file:f", "file:///PATH"), ("file:", "file:///PATH"),
      ("s3://bucket/", "directory"), ("s3://bucket", "directory"), ("s3://ab/k", "bucket"),
      ("s3://Bucket/k", "bucket"), ("s3://a..b/k", "bucket"), ("s3://u:p@bucket/k", "endpoint"),
      ("s3://bucket:9000/k", "endpoint"), ("s3:///k", "bucket"),
    ])
  func refused(typed: String, reason: String) throws {
    let error = #expect(throws: URLParseError.self) { try RequestURL.parse(typed) }
    #expect(try #require(error).message.contains(reason), "\(error?.message ?? "")")
  }

  @Test func pathsOfFiles() throws {
    #expect(try RequestURL.parse("file:///a%20b/%FF").url.filePath == Array("/a b/".utf8) + [0xFF])
  }

  @Test func eachIsFoundByItsName() throws {
    #expect(Scheme.all.map(\.name) == ["http", "https", "ftp", "ftps", "sftp", "s3", "file"])
    for scheme in Scheme.all { #expect(Scheme(named: scheme.name) == scheme) }
    #expect(Scheme(named: "gopher") == nil && Scheme(named: "HTTP") == nil)
    #expect(Scheme.choice == "http, https, ftp, ftps, sftp, s3 or file")
  }

  /// The rules of requests come from the table, so each row lists the schemes that have a rule.
  @Test(
    arguments: [
      (.headerFields, ["http", "https", "s3"]), (.methods, ["http", "https", "s3"]),
      (.upload, ["http", "https", "ftp", "ftps", "sftp", "s3"]),
      (.credentials, ["http", "https", "ftp", "ftps", "sftp", "s3"]), (.signature, ["s3"]), (.privateKey, ["sftp"]),
      (.hostKey, ["sftp"]), (.resume, ["http", "https", "ftp", "ftps", "sftp", "s3", "file"]),
      (.tls, ["http", "https", "ftp", "ftps", "s3"]), (.optionalTLS, ["ftp", "ftps"]),
      (.proxy, ["http", "https", "ftp", "ftps", "sftp", "s3"]),
    ] as [(Scheme.Ability, [String])])
  func abilities(ability: Scheme.Ability, names: [String]) {
    #expect(Scheme.all.filter { $0.abilities.contains(ability) }.map(\.name) == names)
  }

  @Test func transports() {
    #expect(Scheme.all.filter(\.speaksHTTP) == [.http, .https, .s3])
    #expect(Scheme.all.map(\.transport) == [.http, .http, .ftp, .ftp, .sftp, .http, .disk])
    #expect(Scheme.all.map(\.defaultPort) == [80, 443, 21, 990, 22, 443, 0])
    #expect(Scheme.all.map(\.listing) == [.web, .web, .commands, .commands, .lines, .keys, nil])
  }

  @Test func whoMayNameWhat() {
    let document = Scheme.all.filter { SchemePolicy.allows($0, from: .document) }
    let server = Scheme.all.filter { SchemePolicy.allows($0, from: .server) }
    #expect(Scheme.all.allSatisfy { SchemePolicy.allows($0, from: .user) })
    #expect(document == [.http, .https, .ftp, .ftps] && server == [.http, .https])
  }

  @Test(arguments: ["ftp://h/f", "ftps://h/f", "sftp://h/f", "s3://bucket/f", "file:///etc/passwd"])
  func redirectsStayOnHTTP(location: String) throws {
    let from = try RequestURL.parse("http://h/").url
    let decision = RedirectPolicy.decide(from: from, status: 302, location: [location], hop: 0)
    guard case .refuse(let reason) = decision else { return #expect(Bool(false), "\(decision)") }
    #expect(reason.contains("only http and https"))
  }

  @Test func objections() throws {
    func request(_ text: String) throws -> TransferRequest { TransferRequest(url: try RequestURL.parse(text).url) }

    var ftp = try request("ftp://h/f")
    #expect(SchemePolicy.objections(to: ftp) == SchemePolicy.Objections())
    ftp.headers = [HeaderField("X", "y")]
    ftp.userAgent = "me"
    ftp.schemes = SchemeOptions()
    ftp.schemes?.hostKey = "x"
    #expect(SchemePolicy.objections(to: ftp).ignored == [.header, .userAgent, .hostPublicKey])
    ftp.method = "DELETE"
    #expect(SchemePolicy.objections(to: ftp).refusal?.contains("no other methods") == true)

    ftp.method = "PUT"
    #expect(SchemePolicy.objections(to: ftp).refusal != nil)
    #expect(SchemePolicy.objections(to: ftp, bodyIsThere: false).refusal == nil)
    ftp.body = RequestBody(path: "/b", length: 1, contentType: nil)
    #expect(SchemePolicy.objections(to: ftp).refusal == nil)
    ftp.method = "POST"
    #expect(SchemePolicy.objections(to: ftp).refusal?.contains("uploads of files") == true)

    var file = try request("file:///f")
    file.credentials = Credentials(user: "u", password: "p")
    file.proxy = "http://p"
    #expect(SchemePolicy.objections(to: file) == SchemePolicy.Objections(refusal: nil, ignored: [.user, .proxy]))

    var web = try request("https://h/f")
    web.method = "DELETE"
    #expect(SchemePolicy.objections(to: web) == SchemePolicy.Objections())
    web.schemes = SchemeOptions()
    web.schemes?.tls = .required
    #expect(SchemePolicy.objections(to: web).ignored == [.ssl])
    web.redirects = RedirectOptions()
    web.redirects?.schemes = ["ftp", "http"]
    #expect(SchemePolicy.objections(to: web).refusal == "the scheme https is not allowed, only ftp, http")
  }

  @Test(
    arguments: [
      ("SHA256:olvcoWY57cHIRFZ1euaPMYon7UQplywwc0fm2k3uFQY", "olvcoWY57cHIRFZ1euaPMYon7UQplywwc0fm2k3uFQY"),
      ("olvcoWY57cHIRFZ1euaPMYon7UQplywwc0fm2k3uFQY=", "olvcoWY57cHIRFZ1euaPMYon7UQplywwc0fm2k3uFQY"),
      ("MD5:16:27:ac", nil), ("", nil), ("SHA256:short", nil), ("olvcoWY57cHIRFZ1euaPMYon7UQplyw-c0fm2k3uFQY", nil),
    ] as [(String, String?)])
  func hostKeys(typed: String, expected: String?) { #expect(SchemeOptions.hostKey(typed) == expected) }
}
