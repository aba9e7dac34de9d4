// The tokens of one client's calls.

internal import Synchronization

/// Compares the tokens of one request or one WebSocket.
final class TokenCheck: Sendable {
  /// The most wrong tokens of one request: a batch must not try thousands at once.
  static let most = 10

  private struct State {
    var wrong = 0
    var isSlow = false
  }

  private let keeper: Doorkeeper
  private let head: WebRequest
  private let state = Mutex(State())

  init(_ keeper: Doorkeeper, _ head: WebRequest) { (self.keeper, self.head) = (keeper, head) }

  /// Whether it is the secret.
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

  /// Whether the limit of wrong tokens is reached.
  var isExhausted: Bool { state.withLock(\.wrong) >= Self.most }

  /// Seconds to delay the answer.
  func takePause() -> Double {
    state.withLock { state in
      defer { state.isSlow = false }
      return state.isSlow ? AccessRefusal.pause : 0
    }
  }
}
