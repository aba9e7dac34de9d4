// Reads and writes streams without positions: pipes, terminals, standard output.

internal import Glibc

extension System {
  /// Writes all bytes to a file, a pipe or a terminal. Waits for a slow reader.
  public static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
    let bytes = ContiguousArray(bytes)
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in try write(buffer, to: descriptor) }
  }

  /// Writes all bytes of a buffer to a file, a pipe or a terminal. Waits for a slow reader.
  public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      do throws(SystemError) {
        rest = UnsafeRawBufferPointer(rebasing: rest[try writeSome(rest, to: descriptor)...])
      } catch {
        guard error.code == EAGAIN else { throw error }
        _ = hasRoom(descriptor, within: -1)
      }
    }
  }

  /// Whether a descriptor leads to another program: a pipe or a socket.
  public static func isPipe(_ descriptor: Int32) -> Bool {
    guard let status = try? status(descriptor) else { return false }
    return status.isPipe || status.isSocket
  }

  /// Returns the first bytes of a file or a pipe, at most `limit`.
  public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try readWithMode(path, limit: limit).bytes
  }

  /// Returns the first bytes of a file or a pipe, at most `limit`, and its permission bits when opened.
  public static func readWithMode(_ path: String, limit: Int) throws(SystemError) -> (bytes: [UInt8], mode: UInt32) {
    let descriptor = try open(path, .reading)
    defer { close(descriptor) }
    let status = try status(descriptor)
    return (try read(descriptor, limit: limit), status.mode)
  }

  /// Returns the first bytes of a regular file, at most `limit`, with its owner and permission bits when opened.
  /// - Throws: `EINVAL` if it is not a regular file, because a pipe could block.
  public static func readOwned(
    _ path: String, limit: Int
  ) throws(SystemError) -> (bytes: [UInt8], owner: UInt32, mode: UInt32) {
    let descriptor = try open(path, [.reading, .nonBlocking])
    defer { close(descriptor) }
    let status = try status(descriptor)
    guard status.isRegular else { throw SystemError("open", EINVAL) }
    return (try read(descriptor, limit: limit), status.owner, status.mode)
  }

  /// Returns the next bytes of a descriptor up to its end, at most `limit`.
  public static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < limit {
      let count = try retrying("read") {
        Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }
}
