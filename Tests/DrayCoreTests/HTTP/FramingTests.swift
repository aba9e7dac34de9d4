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
}
