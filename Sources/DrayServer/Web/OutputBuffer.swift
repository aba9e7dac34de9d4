// Bytes on their way into a socket.

/// Bytes that are being sent: those of whole answers and of the messages that have begun.
struct OutputBuffer {
  /// Small parts are put together, so that head and body of most answers are one packet; large ones are not copied.
  private static let small = 16 << 10

  private var parts: [[UInt8]] = []
  /// How much of the first part was sent.
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

  /// Gives what is next to `write`, which returns how much of it was sent.
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
