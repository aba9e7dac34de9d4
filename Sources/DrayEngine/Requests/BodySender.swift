// Reads a spooled body on the loop's thread. Reading does not block the thread for long, because the body is a regular
// file.

internal import DrayCore
internal import Posix

final class BodySender {
  var position: Int64 = 0
  private let body: RequestBody
  private var descriptor: Int32 = -1

  init(_ body: RequestBody) { self.body = body }

  deinit { if descriptor >= 0 { System.close(descriptor) } }

  var left: Int64 { max(0, body.length - position) }

  /// Fills all of `space`.
  /// - Throws: ``SystemError``; its code is `ENODATA` if the file has become shorter.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SystemError) {
    if descriptor < 0 { descriptor = try System.open(body.path, .reading) }
    guard try System.read(descriptor, into: space, at: position) == space.count else {
      throw SystemError("read", SystemError.noData)
    }
    position += Int64(space.count)
  }

  func failure(_ error: SystemError) -> Failure {
    Failure(
      .file, body.path, "the body of the request cannot be read: \(error.text)",
      advice: "repeat it with \(.get)")
  }
}
