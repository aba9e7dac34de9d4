// The door of aria2's clients: HTTP and WebSocket in front of the calls.

internal import DrayCore

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
      // JSONP is for foreign pages, which could read everything with it.
      let isScript = query.callback != nil
      return await response(request, isScript ? "text/javascript" : Self.json, needsToken: isScript) {
        await $0.answer(query)
      }
    case ("/jsonrpc", "POST"):
      return await response(request, Self.json) { await $0.answer(RPCMessage(request.body)) }
    case ("/rpc", "POST"):
      return await response(request, "text/xml") { await $0.answer(xml: request.body) }
    case ("/jsonrpc", "OPTIONS"), ("/rpc", "OPTIONS"):
      return WebResponse(204, ["Allow": "GET, POST, OPTIONS"])
    case ("/jsonrpc", _), ("/rpc", _):
      return .text(405, "Calls come by POST, GET or WebSocket.", ["Allow": "GET, POST, OPTIONS"])
    default: return nil
    }
  }

  private static let json = "application/json-rpc"

  private func response(
    _ request: WebRequest, _ type: String, needsToken: Bool = false,
    _ body: (RPCAnswers) async -> RPCAnswers.Answer
  ) async -> WebResponse {
    let tokens = TokenCheck(keeper, request)
    let answer = await body(answers(request, tokens, needsToken: needsToken))
    var response = WebResponse(answer.status, ["Content-Type": type], answer.body)
    response.delay = tokens.takePause()
    return response
  }

  /// What carries out the calls of a client, who brings the token with each.
  /// - Parameter needsToken: whether each call needs the token, whatever it does and whatever the service demands.
  private func answers(_ head: WebRequest, _ tokens: TokenCheck, needsToken: Bool = false) -> RPCAnswers {
    RPCAnswers(desk: desk) { [policy = keeper.policy] token, changes in
      guard needsToken || policy.demandsToken(head, changes: changes) else { return true }
      return tokens.isRight(token)
    }
  }

  // MARK: WebSocket

  /// Answers the calls of a client one after the other, and tells it what happens.
  ///
  /// aria2 tells everybody who opens a WebSocket; some clients never call over it, and so have no way to show the secret. They are
  /// told, too, if they are on this machine: it is only a GID and a word. A client from outside has to show it first.
  private func serve(_ socket: WebSocket, _ head: WebRequest) async {
    let mayListen = !keeper.policy.demandsSecret(head) || DoorRule.door(of: head) != .outside
    let tokens = TokenCheck(keeper, head)
    let answers = answers(head, tokens)
    var reader = mayListen ? await notices.add(socket) : nil
    for await message in socket.messages {
      let answer = await answer(message, by: answers)
      let pause = tokens.takePause()
      if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
      do throws(WebGone) {
        try socket.send(.text(String(decoding: answer.body, as: UTF8.self)))
        try await socket.drained()
      } catch {
        break
      }
      if reader == nil, head.standing.isProved { reader = await notices.add(socket) }
      if tokens.isExhausted {
        socket.close(.policy, "too many wrong tokens")
        break
      }
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
