// One connection on its own thread: requests in, answers out, until either side ends it.

/// Serves the requests of one connection.
struct Connection: ~Copyable {
  let socket: Socket
  let server: FaultServer

  /// Serves until the connection ends. `number` goes into the log.
  func serve(number: Int) {
    var reader = RequestReader()
    while var request = reader.head(from: socket, connection: number) {
      if request["Expect"]?.lowercased() == "100-continue" {
        guard socket.write("HTTP/1.1 100 Continue\r\n\r\n".utf8) else { return }
      }
      guard let body = reader.body(of: request, from: socket) else { return }
      request.body = body
      let (ticket, response) = server.admit(request)
      let delivery = send(response, ticket: ticket)
      server.noteEnd(ticket: ticket)
      switch delivery {
      case .gone:
        return
      case .cut where response.answer.wire != nil:
        return response.answer.wireEnd == .reset ? socket.reset() : socket.finish()
      case .cut:
        return response.answer.ending == .reset ? socket.reset() : socket.finish()
      case .whole:
        if response.closes { return socket.finish() }
      }
    }
  }

  private func send(_ response: Response, ticket: Int) -> Delivery {
    let answer = response.answer
    if answer.latency > 0 {
      guard socket.wait(seconds: answer.latency) else { return .gone }
    }
    if let wire = answer.wire {
      guard WireWriter.send(wire, over: socket) else { return .gone }
      return answer.wireEnd == .stay ? .whole : .cut
    }
    guard sendInterim(answer.interim) else { return .gone }
    let head = response.head.prefix(answer.headCut ?? .max)
    guard sendHead(head, rate: answer.headRate) else { return .gone }
    if answer.headCut != nil { return .cut }
    let writer = BodyWriter(response) { [server] in server.note(sent: $0, ticket: ticket) }
    return writer.send(over: socket)
  }

  private func sendInterim(_ interim: FaultServer.Interim?) -> Bool {
    guard let interim else { return true }
    let lines = ["HTTP/1.1 \(interim.status) \(reasonPhrase(interim.status))"] + interim.headers + ["", ""]
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    return (0..<interim.count).allSatisfy { _ in socket.write(bytes) }
  }

  private func sendHead(_ head: some Collection<UInt8>, rate: Int?) -> Bool {
    guard let rate else { return socket.write(head) }
    return head.allSatisfy { byte in
      socket.write([byte]) && socket.wait(seconds: 1 / Double(rate))
    }
  }
}
