// The tokens of one client's calls.

internal import Synchronization

/// Compares the tokens that come with one request, or over one WebSocket.
final class TokenCheck: Sendable {
  /// How many wrong tokens of one request are compared: a batch must not try thousands at once.
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

  /// Whether no more tokens are compared.
  var isExhausted: Bool { state.withLock(\.wrong) >= Self.most }

  /// Seconds that the answer is held back.
  func takePause() -> Double {
    state.withLock { state in
      defer { state.isSlow = false }
      return state.isSlow ? AccessRefusal.pause : 0
    }
  }
}
