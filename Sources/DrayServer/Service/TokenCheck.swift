// Checks the tokens of a client's calls.

internal import Synchronization
internal import WebServer

/// Compares the tokens in a request or in the messages of a WebSocket with the secret.
final class TokenCheck: Sendable {
  /// The maximum number of wrong tokens that a request may contain, so that a batch cannot try thousands.
  static let most = 10

  private struct State {
    var wrong = 0
    var isSlow = false
  }

  private let keeper: AccessControl
  private let head: WebRequest
  private let state = Mutex(State())

  init(_ keeper: AccessControl, _ head: WebRequest) { (self.keeper, self.head) = (keeper, head) }

  func isRight(_ token: String?) -> Bool {
    guard let token, state.withLock(\.wrong) < Self.most else { return false }
    do throws(AccessRefusal) {
      try keeper.check(token, of: head)
      return true
    } catch {
      let isSlow = error.retryAfter != nil
      state.withLock { ($0.wrong, $0.isSlow) = ($0.wrong + 1, $0.isSlow || isSlow) }
      return false
    }
  }

  var isExhausted: Bool { state.withLock(\.wrong) >= Self.most }

  /// Returns the number of seconds by which the answer must be delayed, and sets it back to 0.
  func takePause() -> Double {
    state.withLock { state in
      defer { state.isSlow = false }
      return state.isSlow ? AccessRefusal.pause : 0
    }
  }
}
