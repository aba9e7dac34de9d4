// Continues a request that a `SmallTransfer` has made.

internal import Curl
internal import DrayCore

extension FileTransfer {
  var goesOn: Bool { exchange.receiver.course.goesOn }

  /// Takes over a request that has no answer yet.
  func takeOver(_ handle: EasyHandle, _ cookies: TransferCookies) {
    beginRequest(on: handle)
    exchange.takeOver(cookies)
    shared.load.move(&member.origin, to: url.origin)
    _ = startRequest()
  }

  /// Writes bytes of the body that arrived before the request was taken over. They are written at once, because they
  /// have already waited.
  func take(kept bytes: UnsafeRawBufferPointer) {
    guard exchange.receiver.bodyFollowsHead() else { return }
    guard case .write(let writer) = answer.mode else {
      _ = exchange.receiver.passOver(bytes.count)
      return
    }
    exchange.note(bytes.count)
    _ = write(bytes, writer)
    _ = settle()
  }
}
