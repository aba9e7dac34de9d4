// libcurl's description of a certificate, and the recorded parts of a redirect's head.

import Testing

@testable import DrayCore

@Suite struct CertificateRecordTests {
  @Test func reads() {
    let record = CertificateRecord(lines: [
      "Subject:C = DE, O = \"Ex, ample\", CN = a.example", "Issuer:CN = authority", "Version:2",
      "X509v3 Subject Alternative Name:DNS:a.example, IP Address:127.0.0.1, DNS:*.b.example, email:x@y",
      "Start date:Nov  1 07:10:12 2026 GMT", "Expire date:Nov 23 07:10:12 2026 GMT", "Cert:-----BEGIN\nX",
    ])
    #expect(record?.subject == "C = DE, O = \"Ex, ample\", CN = a.example")
    #expect(record?.issuer == "CN = authority")
    #expect(record?.names == ["a.example", "127.0.0.1", "*.b.example"])
    #expect(record?.notBefore == 1_793_517_012)
    #expect(record?.notAfter == 1_795_417_812)
  }

  @Test func nothingIsNoCertificate() {
    #expect(CertificateRecord(lines: []) == nil)
    #expect(CertificateRecord(lines: ["nonsense"]) == nil)
    #expect(CertificateRecord(lines: ["Subject:CN = x"])?.notAfter == nil)
  }

  @Test("too many names are cut (P13)") func bounded() {
    let names = (0..<5000).map { "DNS:h\($0).example" }.joined(separator: ", ")
    let record = CertificateRecord(lines: ["Subject:CN = x", "X509v3 Subject Alternative Name:\(names)"])
    #expect(record?.names.count == CertificateRecord.limits.names)
  }

  @Test("the head of a redirect is cut (P13)") func hop() throws {
    let big = HeaderField("X", String(repeating: "x", count: 5000))
    let head = ResponseHead(status: 302, fields: [HeaderField("Location", "/"), big, big, big])
    let hop = FollowedRedirect(url: try url("http://a/"), head: head)
    #expect(hop.head.fields.count == 2)
    let many = ResponseHead(status: 302, fields: .init(repeating: HeaderField("A", "b"), count: 1000))
    #expect(FollowedRedirect(url: try url("http://a/"), head: many).head.fields.count == 64)
  }
}
