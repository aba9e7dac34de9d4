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

  /// Refuses a large body if the bodies of all clients together use too much memory.
  func checkBody() {
    count()
    guard assembler.held > 64 << 10, let refusal = tooMuchMemory else { return }
    refuse(refusal)
  }

  private var tooMuchMemory: WebRefusal? {
    server.held > limits.bodies ? WebRefusal(503, "Too many large requests at once; try again.") : nil
  }

  func take(_ head: RequestHead, _ body: [UInt8]) {
    keepsAlive = head.keepsAlive
    handedOut = body.count
    phase = .answering(head)
    let request = request(head, body)
    if head.framing == .none, let answer = server.settings.screen(request) { return self.answer(answer) }
    let (executor, handler) = (server.executor, server.settings.handler)
    let here = NIOLoopBound(self, eventLoop: server.loop)
    // Large requests take time. Handle them on another thread, so that other clients need not wait.
    let place: (any TaskExecutor)? = body.count > limits.quick ? nil : executor
    // The request is carried out even if the client leaves, because a partial change would be worse.
    Task(executorPreference: place) {
      let answer = await handler(request)
      executor.post { here.value.answer(answer) }
    }
  }

  private func request(_ head: RequestHead, _ body: [UInt8] = []) -> WebRequest {
    WebRequest(
      method: head.method, path: head.path, query: head.query, fields: head.fields, body: body, peer: peer, door: door,
      standing: standing)
  }

  /// Refuses a request and closes the connection, because the rest of the request cannot be separated from what
  /// follows.
  func refuse(_ refusal: WebRefusal) {
    server.settings.report(.refused(peer, status: refusal.status, message: refusal.message))
    keepsAlive = false
    send(WebResponse(refusal), to: nil)
  }

  /// Sends the program's answer.
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

  /// Delays an answer. Nothing more is read from this client before it is sent.
  private func hold(_ response: WebResponse) {
    var response = response
    let until = server.now + response.delay
    response.delay = 0
    delayed = (response, until)
    settle()
  }

  /// Sends the delayed answer.
  func answerDelayed() {
    guard let response = delayed?.response else { return }
    delayed = nil
    answer(response)
  }
}
