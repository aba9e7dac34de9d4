// Which bodies mark their own end (RFC 9112 §6.3).

import DrayCore
import Testing

@Suite struct FramingTests {
  @Test(
    arguments: [
      ([], false), (["chunked"], true), (["Chunked "], true), (["gzip, chunked"], true), (["gzip", "chunked"], true),
      (["identity"], false), (["gzip"], false), (["chunked, gzip"], false), ([""], false),
    ] as [([String], Bool)])
  func onlyChunkedAsTheLastCodingFrames(values: [String], isChunked: Bool) {
    let head = ResponseHead(status: 200, fields: values.map { HeaderField("Transfer-Encoding", $0) })
    #expect(head.isChunked == isChunked)
  }

  @Test(
    "a compressing transfer coding is none that was requested",
    arguments: [
      ([], nil), (["chunked"], nil), (["identity, Chunked"], nil), ([", chunked,"], nil), (["gzip"], "gzip"),
      (["GZIP, chunked"], "gzip"), (["chunked", "br"], "br"), (["chunked;q=1"], "chunked;q=1"),
    ] as [([String], String?)])
  func unrequestedCodings(values: [String], coding: String?) {
    let head = ResponseHead(status: 200, fields: values.map { HeaderField("Transfer-Encoding", $0) })
    #expect(head.unrequestedCoding == coding)
  }
}
