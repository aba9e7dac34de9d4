// Reads a spooled body on the loop thread. This is permitted because it is a regular file.

internal import DrayCore
internal import Posix

/// The body of a request, with the position reached.
final class BodySender {
  /// The position of the next bytes.
  var position: Int64 = 0
  private let body: RequestBody
  private var descriptor: Int32 = -1

  init(_ body: RequestBody) { self.body = body }

  deinit { if descriptor >= 0 { System.close(descriptor) } }

  /// The number of bytes left to send.
  var left: Int64 { max(0, body.length - position) }

  /// Fills all of `space`.
  /// - Throws: ``SystemError``; `ENODATA` if the file has become shorter.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SystemError) {
    if descriptor < 0 { descriptor = try System.open(body.path, .reading) }
    guard try System.read(descriptor, into: space, at: position) == space.count else {
      throw SystemError("read", SystemError.noData)
    }
    position += Int64(space.count)
  }

  /// Returns the failure of a job whose body cannot be read.
  func failure(_ error: SystemError) -> Failure {
    Failure(
      .file, body.path, "the body of the request cannot be read: \(error.text)",
      advice: "repeat it with \(.get)")
  }
}
