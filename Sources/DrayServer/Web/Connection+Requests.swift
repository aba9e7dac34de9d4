// Takes requests and sends answers.

extension Connection {
  /// Parses the received bytes, up to one request for the program.
  func readRequests(now: Double) {
    guard !isReadingRequests else { return }
    isReadingRequests = true
    defer { isReadingRequests = false }
    do throws(WebRefusal) {
      while case .reading = phase {
        switch try reader.next() {
        case .more:
          if reader.isInBody, reader.held > 64 << 10 { try checkMemory() }
          return
        case .head(let head): try welcome(head, now: now)
        case .request(let head, let body): take(head, body, now: now)
        }
      }
    } catch {
      refuse(error, now: now)
    }
  }

  /// Screens a request's head, so that a refused client is told before it sends the body.
  private func welcome(_ head: RequestHead, now: Double) throws(WebRefusal) {
    guard head.framing != .none else { return }
    if let answer = context.settings.screen(request(head)) {
      keepsAlive = false
      phase = .answering(head)
      return self.answer(answer, now: now)
    }
    try checkMemory()
    if head.expectsContinue, reader.rest.isEmpty { send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), now: now) }
  }

  /// Refuses a body if the bodies of all clients together would use too much memory.
  private func checkMemory() throws(WebRefusal) {
    guard context.held > context.limits.bodies else { return }
    throw WebRefusal(503, "Too many large requests at once; try again.")
  }

  private func take(_ head: RequestHead, _ body: [UInt8], now: Double) {
    keepsAlive = head.keepsAlive
    handedOut = body.count
    phase = .answering(head)
    let request = request(head, body)
    if head.framing == .none, let answer = context.settings.screen(request) { return self.answer(answer, now: now) }
    let (id, orders, handler) = (id, context.orders, context.settings.handler)
    // Large requests take time. Handle them on another thread, so that other clients need not wait.
    let place: (any TaskExecutor)? = body.count > context.limits.quick ? nil : orders
    // The request is carried out even if the client leaves, because a partial change would be worse.
    Task(executorPreference: place) { orders.post(.answer(id, await handler(request))) }
  }

  private func request(_ head: RequestHead, _ body: [UInt8] = []) -> WebRequest {
    WebRequest(
      method: head.method, path: head.path, query: head.query, fields: head.fields, body: body, peer: peer, door: door,
      standing: standing)
  }

  /// Refuses a request and closes the connection, because the rest of the request cannot be separated from what
  /// follows.
  func refuse(_ refusal: WebRefusal, now: Double) {
    context.settings.report(.refused(peer, status: refusal.status, message: refusal.message))
    keepsAlive = false
    let answer = WebResponse(refusal)
    sendAll(answer.status, answer.fields, body(of: answer), ResponseForm(keepsAlive: false), now: now)
    pump(now: now)
  }

  /// Sends the program's answer.
  func answer(_ response: WebResponse, now: Double) {
    guard case .answering(let head) = phase else { return }
    handedOut = 0
    guard response.delay <= 0 || context.isStopping else { return hold(response, now: now) }
    keepsAlive = keepsAlive && !context.isStopping
    (since, sent) = (now, 0)
    let form = ResponseForm(isHeadOnly: head.method == "HEAD", version: head.version, keepsAlive: keepsAlive)
    switch response.content {
    case .bytes(let body): sendAll(response.status, response.fields, body, form, now: now)
    case .stream(let run): stream(response, form, run, now: now)
    case .webSocket(let run):
      do throws(WebRefusal) {
        open(try WebSocketHandshake(head), response.fields, run, now: now)
      } catch {
        let fields = error.status == 426 ? WebSocketHandshake.offer : [:]
        let answer = WebResponse.text(error.status, error.message, fields)
        sendAll(answer.status, answer.fields, body(of: answer), form, now: now)
      }
    }
    pump(now: now)
  }

  /// Delays an answer. Nothing more is read from this client before it is sent.
  private func hold(_ response: WebResponse, now: Double) {
    var response = response
    let until = now + response.delay
    response.delay = 0
    delayed = (response, until)
  }

  /// Sends the delayed answer.
  func answerDelayed(now: Double) {
    guard let response = delayed?.response else { return }
    delayed = nil
    answer(response, now: now)
  }

  private func body(of response: WebResponse) -> [UInt8] {
    if case .bytes(let bytes) = response.content { bytes } else { [] }
  }

  private func sendAll(_ status: Int, _ fields: WebFields, _ body: [UInt8], _ form: ResponseForm, now: Double) {
    let hasBody = status >= 200 && status != 204 && status != 304
    let head = form.head(
      status, context.completed(fields), hasBody ? .length(body.count) : .none, date: context.date)
    send(head, now: now)
    if hasBody, !form.isHeadOnly { send(body, now: now) }
    phase = .writing
  }
}
