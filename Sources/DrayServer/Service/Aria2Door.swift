// The door of aria2's clients: HTTP and WebSocket in front of the calls.

internal import DrayCore
internal import Synchronization

/// Answers at `/jsonrpc` and `/rpc`.
struct Aria2Door: Sendable {
  let desk: Aria2Desk
  let keeper: Doorkeeper
  let notices: Aria2Notices
  /// Bytes of the largest message that is answered on the server's thread (``WebLimits/quick``).
  let quick: Int

  /// The answer to a request; nil if its path is another's.
  func answer(_ request: WebRequest) async -> WebResponse? {
    switch (request.path, request.method) {
    case ("/jsonrpc", "GET") where request.fields["Upgrade"] != nil:
      return WebResponse(101, content: .webSocket { socket in await serve(socket, request) })
    case ("/jsonrpc", "GET"), ("/jsonrpc", "HEAD"):
      let query = RPCQuery(request.query ?? "")
      let isScript = query.callback != nil
      return response(await answers(request).answer(query), isScript ? "text/javascript" : Self.json)
    case ("/jsonrpc", "POST"):
      return response(await answers(request).answer(RPCMessage(request.body)), Self.json)
    case ("/rpc", "POST"):
      return response(await answers(request).answer(xml: request.body), "text/xml")
    case ("/jsonrpc", "OPTIONS"), ("/rpc", "OPTIONS"):
      return WebResponse(204, ["Allow": "GET, POST, OPTIONS"])
    case ("/jsonrpc", _), ("/rpc", _):
      return .text(405, "Calls come by POST, GET or WebSocket.", ["Allow": "GET, POST, OPTIONS"])
    default: return nil
    }
  }

  private static let json = "application/json-rpc"

  private func response(_ answer: RPCAnswers.Answer, _ type: String) -> WebResponse {
    WebResponse(answer.status, ["Content-Type": type], answer.body)
  }

  /// What carries out the calls of a client, who brings the token with each.
  /// - Parameter shown: called for each that is right.
  private func answers(_ head: WebRequest, shown: @escaping @Sendable () -> Void = {}) -> RPCAnswers {
    guard keeper.policy.demandsSecret(head) else { return RPCAnswers(desk: desk) { _ in true } }
    return RPCAnswers(desk: desk) { [keeper] token in
      guard let token, (try? keeper.check(token, of: head)) != nil else { return false }
      shown()
      return true
    }
  }

  // MARK: WebSocket

  /// Answers the calls of a client one after the other, and tells it what happens.
  ///
  /// aria2 tells everybody who opens a WebSocket; some clients never call over it, and so have no way to show the secret. They are
  /// told, too, if they are on this machine: it is only a GID and a word. A client from outside has to show it first.
  private func serve(_ socket: WebSocket, _ head: WebRequest) async {
    let isKnown = Flag(!keeper.policy.demandsSecret(head) || DoorRule.door(of: head) != .outside)
    let answers = answers(head) { isKnown.set() }
    var reader = isKnown.isSet ? await notices.add(socket) : nil
    for await message in socket.messages {
      let answer = await answer(message, by: answers)
      do throws(WebGone) {
        try socket.send(.text(String(decoding: answer.body, as: UTF8.self)))
        try await socket.drained()
      } catch {
        break
      }
      if reader == nil, isKnown.isSet { reader = await notices.add(socket) }
    }
    if let reader { await notices.remove(reader) }
  }

  private func answer(_ message: WebMessage, by answers: RPCAnswers) async -> RPCAnswers.Answer {
    guard message.size > quick else { return await answers.answer(RPCMessage(message.bytes)) }
    // What is large takes time, which other clients need not wait for.
    return await withTaskExecutorPreference(globalConcurrentExecutor) {
      await answers.answer(RPCMessage(message.bytes))
    }
  }
}

extension WebMessage {
  fileprivate var bytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .binary(let bytes): bytes
    }
  }
}

/// Something that is true from some moment on.
private final class Flag: Sendable {
  private let value: Mutex<Bool>

  init(_ value: Bool) { self.value = Mutex(value) }

  var isSet: Bool { value.withLock(\.self) }
  func set() { value.withLock { $0 = true } }
}
