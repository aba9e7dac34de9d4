// What tests know of bytes: their digests.

import Crypto
import FaultServer
import Foundation

extension Sandbox {
  /// The SHA-256 of `content`, whose size is no matter.
  static func digest(of content: Content) -> SHA256.Digest {
    var hash = SHA256()
    for place in stride(from: 0, to: content.size, by: 1 << 20) {
      hash.update(data: content.bytes(in: place..<place + 1 << 20))
    }
    return hash.finalize()
  }

  /// The SHA-256 of `content` in hex.
  static func sha256(_ content: Content) -> String { digest(of: content).map { String(format: "%02x", $0) }.joined() }
}
