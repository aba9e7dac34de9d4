// Lists of digests as servers publish them.

import DrayCore
import DrayDocuments
import Testing

@Suite struct DigestListTests {
  static let one = String(repeating: "1", count: 64)
  static let two = String(repeating: "2", count: 64)
  static let long = String(repeating: "5", count: 128)
  static let short = String(repeating: "a", count: 32)

  static func digest(_ text: String, _ name: String = "f.iso", isOwn: Bool = false) throws -> String? {
    try DigestList.parse(Array(text.utf8)).digest(of: name, isOwn: isOwn)?.description
  }

  @Test(
    "the forms of a line",
    arguments: [
      "\(one)  f.iso", "\(one) *f.iso", "\(one)\tf.iso", "\(one)  ./f.iso", "\(one)  pool/f.iso",
      "\(one.uppercased())  f.iso\r",
      "SHA256 (f.iso) = \(one)", "SHA2-256(f.iso)= \(one)", "SHA-256 (dir/f.iso) = \(one)",
      "# f.iso: 12 bytes\nSHA256 (f.iso) = \(one)\n", "\(two)  g.iso\n\(one)  f.iso\n\(two)  ff.iso",
      // The exact name takes precedence over a path that ends in it.
      "\(two)  old/f.iso\n\(one)  f.iso", "\(short)  f.iso\n\(long)  f.iso\n\(one)  f.iso",
      "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n\(one)  f.iso\n-----BEGIN PGP SIGNATURE-----\n\(two)  f.iso",
      // Text before the signed part is not trusted.
      "\(two)  f.iso\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- \(one)  f.iso",
    ])
  func forms(text: String) throws { #expect(try Self.digest(text) == "sha-256=\(Self.one)") }

  @Test func aDigestAloneIsThatOfItsOwnFile() throws {
    #expect(try Self.digest(Self.one, isOwn: true) == "sha-256=\(Self.one)")
    #expect(try Self.digest(Self.one) == nil)
    #expect(try Self.digest("\(Self.one)\n\(Self.two)", isOwn: true) == nil)
  }

  @Test func anotherFileIsNotMeant() throws {
    #expect(try Self.digest("\(Self.one)  g.iso", isOwn: true) == nil)
    #expect(try Self.digest("\(Self.one)  f.iso.asc") == nil)
    #expect(try Self.digest("\(Self.one)  a/f.iso\n\(Self.two)  b/f.iso") == nil)
    #expect(try Self.digest("\(Self.one)  a/f.iso\n\(Self.one)  b/f.iso") == "sha-256=\(Self.one)")
  }

  @Test func namesWithEscapes() throws {
    #expect(try Self.digest("\\\(Self.one)  a\\\\b\\nc", "a\\b\nc") == "sha-256=\(Self.one)")
    #expect(try Self.digest("\(Self.one)  a\\nb", "a\\nb") == "sha-256=\(Self.one)")
  }

  @Test(arguments: ["", "<!DOCTYPE html><p>not found", "f.iso", "\(String(repeating: "g", count: 64))  f.iso"])
  func whatIsNone(text: String) { #expect(throws: DocumentError.self) { try DigestList.parse(Array(text.utf8)) } }

  @Test func places() throws {
    let url = try RequestURL.parse("https://h/pub/a%20b.iso?sig=1").url
    let places = DigestListPlace.beside(url)
    #expect(places.first?.url.string == "https://h/pub/a%20b.iso.sha256")
    #expect(places.filter(\.isOwn).count == 5)
    #expect(places.contains { $0.url.string == "https://h/pub/SHA256SUMS" && !$0.isOwn })
    #expect(!places.contains { $0.url.string.contains("sig") })
    #expect(DigestListPlace.beside(try RequestURL.parse("https://h/pub/").url).isEmpty)
    #expect(DigestListPlace.beside(try RequestURL.parse("ftp://h/f").url).isEmpty)
  }
}
