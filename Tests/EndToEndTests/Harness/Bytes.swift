// Tools for bytes: digests, and damage in place.

import Crypto
import FaultServer
import Foundation

extension Sandbox {
  /// The SHA-256 of `content`, of any size.
  static func digest(of content: Content) -> SHA256.Digest {
    var hash = SHA256()
    for place in stride(from: 0, to: content.size, by: 1 << 20) {
      hash.update(data: content.bytes(in: place..<place + 1 << 20))
    }
    return hash.finalize()
  }

  /// The SHA-256 of `content` in hex.
  static func sha256(_ content: Content) -> String { digest(of: content).map { String(format: "%02x", $0) }.joined() }

  /// Overwrites the file at `path` from `place` on, like a bad disk: the inode stays the same.
  static func overwrite(_ bytes: [UInt8], at place: Int64, in path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(place))
    try file.write(contentsOf: bytes)
  }

  /// Flips a bit of the byte at `place`.
  static func flip(_ place: Int64, in path: String) throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(place))
    guard let byte = try file.read(upToCount: 1)?.first else { throw HarnessError("\(path) has no byte \(place)") }
    try overwrite([byte ^ 0x10], at: place, in: path)
  }
}
