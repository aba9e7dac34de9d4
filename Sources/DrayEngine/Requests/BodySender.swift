// Reads a spooled body on the loop thread. Reading does not block that thread for long, because the body is a regular
// file.

internal import DrayCore
internal import Glibc
internal import Posix

final class BodySender {
  var position: Int64 = 0
  private let body: RequestBody
  private var descriptor: Int32 = -1

  init(_ body: RequestBody) { self.body = body }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var left: Int64 { max(0, body.length - position) }

  /// Fills all of `space`.
  /// - Throws: ``SystemError``, which is `ENODATA` if the file has become shorter.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SystemError) {
    if descriptor < 0 {
      descriptor = open(body.path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError("open") }
    }
    var done = 0
    while done < space.count {
      let count = pread(
        descriptor, space.baseAddress?.advanced(by: done), space.count - done, off_t(position) + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read") }
      guard count > 0 else { throw SystemError("read", ENODATA) }
      done += count
    }
    position += Int64(done)
  }

  func failure(_ error: SystemError) -> Failure {
    Failure(
      .file, body.path, "the body of the request cannot be read: \(String(cString: strerror(error.code)))",
      advice: "repeat it with \(.get)")
  }
}
