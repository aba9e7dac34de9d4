// Fields of answers by their standards: names (RFC 6266, RFC 8187), dictionaries (RFC 9651).

import DrayCore
import Testing

@Suite("Fields by the text of their standards")
struct FieldTableTests {
  static let names = StandardRow.table("rfc6266-names", keys: ["field", "name", "none", "safe"])
  static let digests = StandardRow.table("rfc9651-digests", keys: ["field", "gives"])

  @Test("Content-Disposition: the name that is suggested", arguments: names)
  func name(_ row: StandardRow) throws {
    let found = ContentDisposition.fileName(try #require(row.list("field")))
    #expect((row["name"] == nil) == row.flag("none"), "a row expects a name or none")
    #expect(found == row["name"])
    if let name = row["name"] { #expect(FileName.safe(name) == row["safe"] ?? name) }
  }

  @Test("Repr-Digest: the digests of a dictionary", arguments: digests)
  func digest(_ row: StandardRow) throws {
    let fields = try #require(row.list("field")).map { HeaderField("Repr-Digest", $0) }
    let head = ResponseHead(status: 200, fields: fields)
    let known = [
      try DigestValue.parse("sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
      try DigestValue.parse("md5=1B2M2Y8AsgTpgAmY7PhCfg=="),
    ]
    let found = head.offeredDigests.map(\.digest)
    #expect(found.allSatisfy(known.contains))
    #expect(Set(found.map(\.algorithm.rawValue)) == Set(try #require(row.list("gives"))))
  }

  @Test("the tables exist")
  func isWhole() {
    #expect(Self.names.count > 25 && Self.digests.count > 12)
  }
}
