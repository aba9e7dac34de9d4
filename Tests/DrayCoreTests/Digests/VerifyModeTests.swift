// When a file for which a digest is required is rejected before its bytes arrive, and which listed digest counts.

import Testing

@testable import DrayCore

@Suite struct VerifyModeTests {
  private static let empty = "d41d8cd98f00b204e9800998ecf8427e"

  @Test(
    arguments: [
      ("nothing", 200, [], true), ("a digest", 200, ["Content-MD5: 1B2M2Y8AsgTpgAmY7PhCfg=="], false),
      ("unreadable", 200, ["Content-MD5: ?"], true), ("a length", 200, ["Content-Length: 5"], true),
      ("until the end of the connection", 200, ["Transfer-Encoding: gzip"], true),
      ("announced", 200, ["Transfer-Encoding: chunked", "Trailer: Expires, repr-digest"], false),
      ("a trailer that is not announced", 200, ["Transfer-Encoding: chunked"], false),
      ("announced without room for it", 200, ["Content-Length: 5", "Trailer: Repr-Digest"], true),
      ("of a part", 206, ["Transfer-Encoding: chunked", "Content-Range: bytes 5-9/10"], false),
    ] as [(String, Int, [String], Bool)])
  func answers(row: String, status: Int, lines: [String], isUnprovable: Bool) throws {
    let head = ResponseHead(status, lines)
    #expect(VerifyMode.require.isUnprovable(by: head, known: []) == isUnprovable)
    for mode in [VerifyMode.none, .offered, .auto] { #expect(!mode.isUnprovable(by: head, known: [])) }
    let known = SourcedDigest(try DigestValue.parse("md5=\(Self.empty)"), DigestSource(rawValue: "Content-MD5"))
    #expect(!VerifyMode.require.isUnprovable(by: ResponseHead(206, lines), known: [known]))
  }

  @Test("trailers may follow any body over HTTP/2, and none without HTTP", arguments: ["1.1", "1.0", "2", "3", "FTP"])
  func versions(version: String) {
    var head = ResponseHead(200, ["Content-Length: 5"])
    head.version = version
    #expect(VerifyMode.require.isUnprovable(by: head, known: []) == !["2", "3"].contains(version))
  }

  /// A weak digest is used only if no list has a better one; among equal ones, the first counts.
  @Test(
    arguments: [
      ([.md5, .sha256], 1, 2), ([.sha256, .sha512], 0, 1), ([.sha512, .sha256], 0, 1), ([.md5, .sha1, .md5], 1, 3),
      ([.md5, .md5], 0, 2), ([.sha1, .md5, .sha384], 2, 3), ([.md5], 0, 1),
    ] as [([DigestAlgorithm], Int, Int)])
  func lists(found: [DigestAlgorithm], chosen: Int, looked: Int) {
    var (best, count): (Int?, Int) = (nil, 0)
    for (index, one) in found.enumerated() {
      count += 1
      guard ListedDigestRule.isBetter(one, than: best.map { found[$0] }) else { continue }
      best = index
      if ListedDigestRule.endsSearch(one) { break }
    }
    #expect((best, count) == (chosen, looked))
  }
}
