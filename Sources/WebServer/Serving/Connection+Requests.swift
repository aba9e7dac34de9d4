// Takes requests and sends answers.

internal import NIOCore
internal import NIOHTTP1

extension Connection {
  /// Screens a request's head, so that a refused client is told before it sends the body.
  func welcome(_ head: RequestHead) {
    if let answer = server.settings.screen(request(head)) {
      keepsAlive = false
      phase = .answering(head)
      return self.answer(answer)
    }
    if let refusal = tooMuchMemory { return refuse(refusal) }
    guard head.expectsContinue, gate.held == 0 else { return }
    write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
    context?.flush()
  }

  /// Refuses a large body of a stranger, and any large body if the bodies of all such clients use too much memory.
  func checkBody() {
    count()
    guard assembler.held > limits.strangerBody else { return }
    if let (head, body) = assembler.unfinished, let refusal = tooLong(head, body) { return refuse(refusal) }
    if let refusal = tooMuchMemory { refuse(refusal) }
  }

  /// Closes a WebSocket with a large message if all such messages use too much memory.
  func checkMessage(_ side: WebSocketSide) {
    count()
    guard gate.held > limits.strangerBody, let refusal = tooMuchMemory else { return }
    end(side, FrameError(.tryLater, refusal.message))
  }

  private var tooMuchMemory: WebRefusal? {
    purse != .stranger && server.held[purse] > limits.bodies
      ? WebRefusal(503, "Too many large requests at once; try again.") : nil
  }

  /// Returns the refusal of a body that is longer than strangers may send, unless the body proves that its sender is
  /// none.
  private func tooLong(_ head: RequestHead, _ body: [UInt8]) -> WebRefusal? {
    guard isStranger, body.count > limits.strangerBody, !server.settings.vouches(request(head, body)) else {
      return nil
    }
    return WebRefusal(413, "Without the secret, a body has at most \(limits.strangerBody) bytes.")
  }

  func take(_ head: RequestHead, _ body: [UInt8]) {
    if let refusal = tooLong(head, body) { return refuse(refusal) }
    keepsAlive = head.keepsAlive
    handedOut = body.count
    phase = .answering(head)
    let request = request(head, body)
    if head.framing == .none, let answer = server.settings.screen(request) { return self.answer(answer) }
    guard body.count <= limits.quick else { return answerElsewhere(request) }
    switch server.settings.reply(request) {
    case .now(let response): answer(response)
    case .later(let work):
      let (here, executor) = (NIOLoopBound(self, eventLoop: server.loop), server.executor)
      // The request is carried out even if the client leaves, because a partial change would be worse.
      Task(executorPreference: executor) {
        let answer = await work()
        executor.post { here.value.answer(answer) }
      }
    }
  }

  /// Answers a large request, which takes time, on another thread, so that the loop serves other clients in the
  /// meantime.
  private func answerElsewhere(_ request: WebRequest) {
    let (here, executor, reply) = (
      NIOLoopBound(self, eventLoop: server.loop), server.executor, server.settings.reply
    )
    Task {
      let answer: WebResponse
      switch reply(request) {
      case .now(let response): answer = response
      case .later(let work): answer = await work()
      }
      executor.post { here.value.answer(answer) }
    }
  }

  private func request(_ head: RequestHead, _ body: [UInt8] = []) -> WebRequest {
    WebRequest(
      method: head.method, path: head.path, query: head.query, fields: head.fields, body: body, peer: peer,
      listenerKind: listenerKind,
      standing: standing)
  }

  /// Refuses a request and closes the connection, because the end of the refused request is not known.
  func refuse(_ refusal: WebRefusal) {
    server.settings.report(.refused(peer, status: refusal.status, message: refusal.message))
    keepsAlive = false
    send(WebResponse(refusal), to: nil)
  }

  func answer(_ response: WebResponse) {
    guard case .answering(let head) = phase else { return }
    handedOut = 0
    guard response.delay <= 0 || server.isStopping else { return hold(response) }
    keepsAlive = keepsAlive && !server.isStopping
    switch response.content {
    case .bytes: send(response, to: head)
    case .stream(let run): stream(response, to: head, run)
    case .webSocket(let run):
      do throws(WebRefusal) {
        open(try WebSocketHandshake(head), response.fields, run)
      } catch {
        let fields = error.status == 426 ? WebSocketHandshake.offer : [:]
        send(.text(error.status, error.message, fields), to: head)
      }
    }
    settle()
  }

  /// Delays an answer. Until then nothing is read from the client.
  private func hold(_ response: WebResponse) {
    var response = response
    let until = server.now + response.delay
    response.delay = 0
    delayed = (response, until)
    settle()
  }

  func answerDelayed() {
    guard let response = delayed?.response else { return }
    delayed = nil
    answer(response)
  }
}
