// A file of this machine that is read.

internal import DrayCore
internal import Glibc

/// An open file that is read, and watched for changes meanwhile.
final class LocalFile {
  /// Its path for people.
  let path: String
  /// Its length, its time and what identifies it, as it was opened.
  let facts: SourceFacts
  private let descriptor: Int32

  /// Opens the file that a URL names.
  /// - Throws: ``Failure`` when there is none, it is not a regular file, or it may not be read.
  convenience init(_ url: RequestURL) throws(Failure) { try self.init(path: url.filePath) }

  /// Opens the file of a path.
  /// - Throws: as for a URL.
  init(path bytes: [UInt8]) throws(Failure) {
    let path = TextSafety.escaped(String(decoding: bytes, as: UTF8.self))
    self.path = path
    // A pipe or a device could keep an opener waiting.
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

  /// Reads up to `buffer.count` bytes at `position`; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
      if count >= 0 { return count }
      if errno != EINTR { throw LocalFile.failure(path, errno, "the file cannot be read") }
    }
  }

  /// Whether it was changed since it was opened.
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
