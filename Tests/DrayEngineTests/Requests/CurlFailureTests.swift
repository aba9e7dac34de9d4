// The failure for each error of libcurl; libcurl's own words never reach a user if they say nothing.

import Curl
import DrayCore
import Testing

@testable import DrayEngine

@Suite struct CurlFailureTests {
  private static func failure(_ code: UInt32, _ message: String? = nil) -> Failure {
    CurlError(CurlError.Code(rawValue: code), message).failure("http://h/f", info: TransferInfo())
  }

  /// Codes that a transfer over HTTP may end with, and the failure for each.
  @Test(
    arguments: [
      (1, .protocolViolation), (3, .usage), (4, .usage), (5, .network), (6, .network), (7, .network),
      (8, .protocolViolation), (16, .network), (18, .network), (22, .protocolViolation), (23, .other), (26, .other),
      (27, .other), (28, .network), (33, .protocolViolation), (35, .tls), (42, .other), (43, .usage), (45, .network),
      (47, .protocolViolation), (48, .usage), (52, .network), (55, .network), (56, .network), (58, .tls), (59, .tls),
      (60, .tls), (61, .protocolViolation), (63, .protocolViolation), (65, .network), (67, .authentication),
      (77, .tls),
      (80, .tls), (83, .tls), (88, .protocolViolation), (90, .tls), (91, .tls), (92, .network), (94, .authentication),
      (97, .network), (98, .tls), (99, .other),
    ] as [(UInt32, Failure.Kind)])
  func isOfThisKind(_ code: UInt32, _ kind: Failure.Kind) {
    let failure = Self.failure(code)
    #expect(failure.kind == kind)
    #expect(failure.advice != nil)
    #expect((failure.recovery == .retry) == (kind == .network))
  }

  /// Chunks that break their rules are the server's fault; a body that is cut between them is the network's (R22).
  @Test(
    arguments: [
      (56, "Illegal or missing hexadecimal sequence in chunked-encoding", .protocolViolation, "chunk"),
      (56, "Too long hexadecimal number in chunked-encoding", .protocolViolation, "chunk"),
      (56, "chunk hex-length char not a hex digit: 0x78", .protocolViolation, "chunk"),
      (56, "Recv failure: Connection reset by peer", .network, "Connection reset"),
      (7, "Failed to connect to 127.0.0.1 port 1 after 0 ms: Connection refused", .network, "127.0.0.1:1 refused the"),
      (7, "Failed to connect to ::1 port 80 after 0 ms: Connection refused", .network, "[::1]:80 refused the"),
      (7, "Failed to connect to h port 1 after 0 ms: No route to host", .network, "No route to host"),
      (35, "OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", .tls, "no TLS on this port"),
      (
        56, "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0", .network,
        "without notice"
      ),
      (18, "transfer closed with outstanding read data remaining", .network, "ended before"),
      (18, "transfer closed with 5 bytes remaining to read", .network, "5 bytes"),
      (52, "Empty reply from server", .network, "without an answer"),
      (56, "Too large response headers: 307201 > 307200", .protocolViolation, "100 KiB"),
      (8, "Weird server reply", .protocolViolation, "unintelligible"),
      (16, "Error in the HTTP2 framing layer", .network, "HTTP/2"),
      (23, "Failure writing output to destination", .other, "stopped"),
      (42, "Callback aborted", .other, "stopped"),
      (61, "Unrecognized content encoding type. libcurl understands deflate", .protocolViolation, "coding"),
      (63, "Maximum file size exceeded", .protocolViolation, "Content-Length"),
    ] as [(UInt32, String, Failure.Kind, String)])
  func isPutSo(_ code: UInt32, _ message: String, _ kind: Failure.Kind, _ words: String) {
    let failure = Self.failure(code, message)
    #expect(failure.kind == kind)
    #expect(failure.reason.contains(words))
  }

  /// Reasons contain none of libcurl's words about its own workings.
  @Test func noneSpeaksOfLibcurlsInside() {
    for code in UInt32(1)...99 {
      let reason = Self.failure(code).reason
      for word in ["callback", "Callback", "writing output", "Out of memory", "framing layer", "function argument"]
      where code != 43 && code != 93 {  // Faults of this program's own.
        #expect(!reason.contains(word), "\(code): \(reason)")
      }
    }
  }
}
