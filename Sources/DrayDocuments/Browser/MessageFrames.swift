// The frames of native messaging: a browser and a program exchange JSON texts, each after its length
// (https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging).

/// Divides the bytes from a browser into messages. A frame is the length in 4 bytes, in the order of this machine, and
/// the message. The bytes may arrive in pieces of any size.
package struct MessageFrames: Sendable {
  /// The maximum length of a message in bytes, in both directions. Browsers refuse longer ones from a program.
  package static let longest = 1 << 20

  /// A length that is not accepted. Nothing after it can be read, because the message would have to be skipped.
  package struct TooLong: Error, Sendable, Equatable {
    /// The announced length in bytes.
    package var length: Int
  }

  private var bytes: [UInt8] = []
  /// The number of bytes at the beginning of `bytes` that were returned already.
  private var start = 0

  package init() {}

  /// Whether the bytes end within a frame.
  package var isCut: Bool { start < bytes.count }

  /// Takes the next bytes from the browser.
  package mutating func append(_ more: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Returns the next message; `nil` until all of its bytes have arrived.
  /// - Throws: ``TooLong`` as soon as the length has arrived.
  package mutating func next() throws(TooLong) -> [UInt8]? {
    guard bytes.count - start >= 4 else { return nil }
    let length = Int(bytes[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    guard length <= MessageFrames.longest else { throw TooLong(length: length) }
    let end = start + 4 + length
    guard end <= bytes.count else { return nil }
    defer { start = end }
    return Array(bytes[start + 4..<end])
  }

  /// Returns the frame of a message; `nil` if the message is too long.
  package static func frame(_ message: some Collection<UInt8>) -> [UInt8]? {
    guard message.count <= longest else { return nil }
    return withUnsafeBytes(of: UInt32(message.count)) { Array($0) } + message
  }
}
