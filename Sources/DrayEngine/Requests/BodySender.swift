// Reads a spooled body on the loop thread. This is permitted because it is a regular file.

internal import DrayCore
internal import Glibc
internal import Posix

/// The body of a request, with the position reached.
final class BodySender {
  /// The position of the next bytes.
  var position: Int64 = 0
  private let body: RequestBody
  private var descriptor: Int32 = -1

  init(_ body: RequestBody) { self.body = body }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The number of bytes left to send.
  var left: Int64 { max(0, body.length - position) }

  /// Fills all of `space`.
  /// - Throws: ``SystemError``; `ENODATA` if the file has become shorter.
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

  /// Returns the failure of a job whose body cannot be read.
  func failure(_ error: SystemError) -> Failure {
    Failure(
      .file, body.path, "the body of the request cannot be read: \(String(cString: strerror(error.code)))",
      advice: "repeat it with \(.get)")
  }
}
