// Bytes on their way into a socket.

/// Bytes that are being sent: those of whole answers and of the messages that have begun.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }
  var count: Int { bytes.count - sent }

  mutating func append(_ more: [UInt8]) {
    if isEmpty { (bytes, sent) = (more, 0) } else { bytes += more }
  }

  /// Gives what is left to `write`, which returns how much of it was sent.
  mutating func drain<E: Error>(_ write: (UnsafeRawBufferPointer) throws(E) -> Int) throws(E) -> Int {
    let count = try written(write)
    sent += count
    if isEmpty { (bytes, sent) = ([], 0) }
    return count
  }

  private func written<E: Error>(_ write: (UnsafeRawBufferPointer) throws(E) -> Int) throws(E) -> Int {
    var result: Result<Int, E> = .success(0)
    bytes.withUnsafeBytes { all in
      do throws(E) { result = .success(try write(UnsafeRawBufferPointer(rebasing: all[sent...]))) } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
