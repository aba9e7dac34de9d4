// Reads a file of this machine.

internal import DrayCore
internal import Glibc

/// A file that is open for reading, and checked for changes.
final class LocalFile {
  let path: String
  /// When the file was opened.
  let facts: SourceFacts
  private let descriptor: Int32

  /// Throws ``Failure`` if the file is missing, not regular, or not readable.
  convenience init(_ url: RequestURL) throws(Failure) { try self.init(path: url.filePath) }

  init(path bytes: [UInt8]) throws(Failure) {
    let path = TextSafety.escaped(String(decoding: bytes, as: UTF8.self))
    self.path = path
    // Opening a pipe or a device could block.
    let name = bytes.map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw LocalFile.failure(path, errno, "the file cannot be opened") }
    do throws(Failure) {
      facts = SourceFacts(try LocalFile.identity(descriptor, path))
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  deinit { close(descriptor) }

  /// Fewer bytes than requested may be read; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
      if count >= 0 { return count }
      if errno != EINTR { throw LocalFile.failure(path, errno, "the file cannot be read") }
    }
  }

  func hasChanged() throws(Failure) -> Bool { SourceFacts(try LocalFile.identity(descriptor, path)) != facts }

  private static func identity(_ descriptor: Int32, _ path: String) throws(Failure) -> FileIdentity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, errno, "the file cannot be examined") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let what = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file"
      throw Failure(
        .file, path, "it is \(what)", advice: "name a file after file://", recovery: .keep)
    }
    return FileIdentity(status)
  }

  private static func failure(_ path: String, _ number: Int32, _ what: String) -> Failure {
    Failure(
      .file, path, "\(what): \(String(cString: strerror(number)))",
      advice: "check the path and its permissions", recovery: .keep)
  }
}
