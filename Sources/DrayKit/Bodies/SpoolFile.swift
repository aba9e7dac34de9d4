// The file that a body is spooled to, written with system calls block by block.

internal import DrayEngine
internal import Glibc
internal import Posix
internal import Synchronization

/// A private, locked file that is deleted with this object. Only one caller may write at a time.
final class SpoolFile: Sendable {
  private static let blockSize = 256 << 10

  private let path: String
  private let descriptor: Int32
  private let written = Mutex<Int64>(0)

  init(path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("open", errno).spooling(path) }
    // A clean-up tries to get this lock. Best effort: some file systems have no locks.
    _ = flock(descriptor, LOCK_SH | LOCK_NB)
  }

  deinit {
    unlink(path)
    System.unlockAndClose(descriptor)
  }

  var length: Int64 { written.withLock { $0 } }

  /// Makes the name durable, too.
  func sync() throws(Failure) {
    guard fdatasync(descriptor) == 0 else { throw SystemError("fdatasync", errno).spooling(path) }
    BodyFiles.syncDirectory(of: path)
  }

  /// Streams are left out.
  func append(_ piece: BodyPiece) throws(Failure) {
    switch piece.content {
    case .text(let text): try append(Array(text.utf8), piece.filter)
    case .bytes(let bytes): try append(bytes, piece.filter)
    case .descriptor(let source): try copy(from: source, "standard input", piece.filter)
    case .file(let name):
      let source = open(name, O_RDONLY | O_CLOEXEC)
      guard source >= 0 else { throw SystemError("open", errno).reading(name) }
      defer { close(source) }
      try copy(from: source, name, piece.filter)
    case .stream: break
    }
  }

  private func append(_ bytes: [UInt8], _ filter: BodyFilter) throws(Failure) {
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(Failure) in try append(buffer, filter) }
  }

  func append(_ bytes: UnsafeRawBufferPointer, _ filter: BodyFilter) throws(Failure) {
    switch filter {
    case .none:
      try write(bytes)
    case .withoutLineEnds:
      try append(bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }, .none)
    case .formEncoded:
      try append(FormEncoding.encoded(bytes), .none)
    }
  }

  private func copy(from source: Int32, _ name: String, _ filter: BodyFilter) throws(Failure) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: SpoolFile.blockSize, alignment: 4096)
    defer { block.deallocate() }
    while true {
      let count = read(source, block.baseAddress, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var request = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
        continue
      }
      guard count >= 0 else { throw SystemError("read", errno).reading(name) }
      guard count > 0 else { return }
      try append(UnsafeRawBufferPointer(rebasing: block[..<count]), filter)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", errno).spooling(path) }
      done += count
    }
    written.withLock { $0 += Int64(done) }
  }
}

extension SystemError {
  func spooling(_ path: String) -> Failure {
    let text = String(cString: strerror(code))
    return Failure(
      .file, path, "the body of the request cannot be stored: \(text)",
      advice: code == ENOSPC || code == EDQUOT ? "free some space and try again" : "check the directory")
  }

  func reading(_ name: String) -> Failure {
    Failure(
      .usage, TextSafety.escaped(name), "it cannot be read: \(String(cString: strerror(code)))",
      advice: "check the path and its permissions; nothing was sent")
  }
}
