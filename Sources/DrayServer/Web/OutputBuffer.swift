// The bytes to be written to a socket.

/// The bytes being sent: of whole answers, and of started messages.
struct OutputBuffer {
  /// The length up to which parts are joined, so that head and body of most answers are one packet. Larger parts are
  /// not copied.
  private static let small = 16 << 10

  private var parts: [[UInt8]] = []
  /// The number of bytes of the first part that were sent.
  private var sent = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if let last = parts.last, last.count + bytes.count <= Self.small {
      parts[parts.count - 1] += bytes
    } else {
      parts.append(bytes)
    }
  }

  /// Passes the next bytes to `write`, which returns how many it sent.
  mutating func drain<E: Error>(_ write: (UnsafeRawBufferPointer) throws(E) -> Int) throws(E) -> Int {
    guard let first = parts.first else { return 0 }
    let outcome = first.withUnsafeBytes { bytes in
      Result { () throws(E) in try write(UnsafeRawBufferPointer(rebasing: bytes[sent...])) }
    }
    let done = try outcome.get()
    sent += done
    count -= done
    if sent == first.count {
      parts.removeFirst()
      sent = 0
    }
    return done
  }
}
