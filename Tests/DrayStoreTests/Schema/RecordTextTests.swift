// The hand-written encoder agrees with Foundation's, and its output is read back unchanged.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct RecordTextTests {
  private func object(_ text: String) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }

  @Test func theSameAsFoundations() throws {
    let fields = [
      HeaderField("ETag", "\"a\\b\""), HeaderField("X-Text", "naïve \u{1B}[31m\u{2028} 😀 / \t"),
      HeaderField("Empty", ""), HeaderField("Sent", "", isSentEmpty: true),
    ]
    let head = ResponseHead(version: "1.1", status: 206, reason: "Partial \"Content\"", fields: fields)
    let home = try url("http://h/a?x=1&y=%2F")
    let certificate = CertificateRecord(subject: "CN = h", issuer: "CN = ca", names: ["h", "*.h"], notBefore: 1.5)
    func connection(_ tls: TLSRecord?) -> ConnectionRecord {
      ConnectionRecord(
        address: "::1", port: 8443, isReused: tls == nil, tls: tls,
        timings: RequestTimings(
          nameLookup: 0, connect: 0.000_012, tls: tls.map { _ in 0.25 }, firstByte: 1, total: tls.map { _ in 1e-7 }))
    }
    let records = [
      ResponseRecord(finalURL: home, redirects: [], head: ResponseHead(version: "2", status: 200), time: 1_795_000_000),
      ResponseRecord(
        finalURL: home, redirects: ["http://h/0", "http://h/\"1"], head: head, time: 1_795_000_000.123_456,
        hops: [FollowedRedirect(url: home, head: head), FollowedRedirect(url: home, head: ResponseHead(status: 301))],
        connection: connection(TLSRecord(version: "TLSv1.3", cipher: "AES", certificate: certificate))),
      ResponseRecord(
        finalURL: home, redirects: [], head: head, time: 0.1, hops: [],
        connection: connection(TLSRecord(version: "TLSv1.2", cipher: nil, certificate: nil))),
      ResponseRecord(finalURL: home, redirects: [], head: head, time: -3, connection: connection(nil)),
    ]
    for record in records {
      let text = RecordText.of(record)
      #expect(try JSONColumn<ResponseRecord>.value(text) == record)
      #expect(try object(text) == object(JSONColumn.text(record)))
    }
  }

  @Test(arguments: [
    FileIdentity(device: 0, inode: .max, size: .max, modified: .min),
    FileIdentity(device: 65, inode: 2, size: 0, modified: -1),
  ])
  func identities(_ identity: FileIdentity) throws {
    #expect(try JSONColumn<FileIdentity>.value(RecordText.of(identity)) == identity)
    #expect(try object(RecordText.of(identity)) == object(JSONColumn.text(identity)))
  }
}
