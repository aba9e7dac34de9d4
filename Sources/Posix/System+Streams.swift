// Reads and writes streams without positions: pipes, terminals, standard output.

internal import Glibc

extension System {
  /// Writes all bytes to a file, a pipe or a terminal. Waits for a slow reader.
  public static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
    let bytes = ContiguousArray(bytes)
    var start = 0
    while start < bytes.count {
      let written = bytes[start...].withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if written >= 0 {
        start += written
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if errno != EINTR {
        throw SystemError("write")
      }
    }
  }

  /// Whether a descriptor leads to another program: a pipe or a socket.
  public static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Returns the first bytes of a file or a pipe, at most `limit`.
  public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try readWithMode(path, limit: limit).bytes
  }

  /// Returns the first bytes of a file or a pipe, at most `limit`, and its permission bits when opened.
  public static func readWithMode(_ path: String, limit: Int) throws(SystemError) -> (bytes: [UInt8], mode: UInt32) {
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    var status = stat()
    try retrying("fstat") { fstat(descriptor, &status) }
    return (try read(descriptor, limit: limit), UInt32(status.st_mode) & 0o7777)
  }

  /// Returns the first bytes of a regular file, at most `limit`, with its owner and permission bits when opened.
  /// - Throws: `EINVAL` if it is not a regular file, because a pipe could block.
  public static func readOwned(
    _ path: String, limit: Int
  ) throws(SystemError) -> (bytes: [UInt8], owner: UInt32, mode: UInt32) {
    let descriptor = try open(path, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    var status = stat()
    try retrying("fstat") { fstat(descriptor, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("open", EINVAL) }
    return (try read(descriptor, limit: limit), UInt32(status.st_uid), UInt32(status.st_mode) & 0o7777)
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
