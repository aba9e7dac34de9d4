// Answers aria2's clients over HTTP and WebSocket.

internal import DrayCore
internal import WebServer

/// Answers requests for `/jsonrpc` and `/rpc`.
struct Aria2Endpoint: Sendable {
  let context: Aria2Context
  let keeper: AccessControl
  let notices: Aria2Notices
  /// The maximum length in bytes of a message that is answered on the server's thread (``WebLimits/quick``).
  let quick: Int

  /// Answers a small message to `/jsonrpc`, from memory if possible. Returns `nil` for any other request.
  func reply(_ request: WebRequest) -> WebReply? {
    guard request.path == "/jsonrpc", request.method == "POST", request.body.count <= quick else { return nil }
    let tokens = TokenCheck(keeper, request)
    let (message, answers) = (RPCMessage(request.body), answers(request, tokens))
    if let answer = answers.known(message) { return .now(response(answer, Self.json, tokens)) }
    return .later { response(await answers.answer(message), Self.json, tokens) }
  }

  /// Answers a request. Returns `nil` if the request's path is not one of aria2's.
  func answer(_ request: WebRequest) async -> WebResponse? {
    switch (request.path, request.method) {
    case ("/jsonrpc", "GET") where request.fields["Upgrade"] != nil:
      return WebResponse(101, content: .webSocket { socket in await serve(socket, request) })
    case ("/jsonrpc", "GET"), ("/jsonrpc", "HEAD"):
      let query = RPCQuery(request.query ?? "")
      // JSONP serves pages of other sites, which could read every answer with it.
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
    return response(await body(answers(request, tokens, needsToken: needsToken)), type, tokens)
  }

  private func response(_ answer: RPCAnswers.Answer, _ type: String, _ tokens: TokenCheck) -> WebResponse {
    var response = WebResponse(answer.status, ["Content-Type": type], answer.body)
    response.delay = tokens.takePause()
    return response
  }

  /// Returns the answers for a client that sends the token with each call.
  /// - Parameter needsToken: Whether each call needs the token, regardless of its effect and of the policy.
  private func answers(_ head: WebRequest, _ tokens: TokenCheck, needsToken: Bool = false) -> RPCAnswers {
    RPCAnswers(context: context) { [policy = keeper.policy] token, changes in
      guard needsToken || policy.demandsToken(head, changes: changes) else { return true }
      return tokens.isRight(token)
    }
  }

  // MARK: WebSocket

  /// Answers a client's calls in sequence, and sends notifications to that client.
  ///
  /// aria2 sends its notifications to everybody who opens a WebSocket. Some clients never call over the WebSocket, and
  /// so cannot send the secret. A client on this machine is notified without the secret, because a notification
  /// contains only an event name and a GID. A client on another machine must send the secret before it is notified.
  private func serve(_ socket: WebSocket, _ head: WebRequest) async {
    let mayListen = !keeper.policy.demandsSecret(head) || ListenerRule.listenerKind(of: head) != .outside
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
    guard message.size > quick else {
      let calls = RPCMessage(message.bytes)
      if let answer = answers.known(calls) { return answer }
      return await answers.answer(calls)
    }
    // A large message takes long to answer. Answer it on another thread, so that other clients need not wait.
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
