// From calls to the bytes of the answer: who may, what it comes to, and how it is written down.

internal import DrayCore
internal import DrayDocuments

/// Carries out what clients send, and writes the answers.
struct RPCAnswers: Sendable {
  /// What the calls are about.
  let desk: Aria2Desk
  /// Whether a token, or none, is good enough; in constant time.
  let isAuthorized: @Sendable (String?) -> Bool
  /// The most bytes that the answer to one message may have, more or less: once there are so many, the calls that are left are not
  /// carried out.
  var mostBytes = 64 << 20

  init(desk: Aria2Desk, isAuthorized: @escaping @Sendable (String?) -> Bool) {
    (self.desk, self.isAuthorized) = (desk, isAuthorized)
  }

  /// The answer to a message.
  struct Answer: Sendable, Equatable {
    var body: [UInt8]
    /// The status for an HTTP answer, as aria2 has it.
    var status: Int
    /// Whether some call had no token, or a wrong one: reason to make such a client wait.
    var wasUnauthorized = false

    /// The answer as the argument of a function.
    func called(_ callback: String) -> Answer {
      var answer = self
      answer.body = Array("\(callback)(".utf8) + body + [UInt8(ascii: ")")]
      return answer
    }
  }

  /// Carries out the calls of a message, one after the other.
  func answer(_ message: RPCMessage) async -> Answer {
    var writer = Writer(answers: self)
    var status = 200
    switch message {
    case .one(let entry):
      if let failure = await writer.write(entry) { status = failure.httpStatus }
    case .batch(let entries):
      writer.json.beginArray()
      for entry in entries { _ = await writer.write(entry) }
      writer.json.endArray()
    }
    return Answer(body: writer.json.bytes, status: status, wasUnauthorized: writer.wasUnauthorized)
  }

  /// Carries out a query, and wraps the answer as it asks for.
  func answer(_ query: RPCQuery) async -> Answer {
    let answer = await answer(query.message)
    return query.callback.map(answer.called) ?? answer
  }

  /// Carries out one call.
  func run(_ name: String, _ given: RPCParameters) async throws(RPCFailure) -> RPCValue {
    var parameters = given
    let method = Aria2Method.named(name)
    if method?.needsToken ?? true {
      guard isAuthorized(parameters.takeToken()) else { throw .unauthorized }
    }
    guard let method else { throw .refused("No such method: \(name)") }
    do {
      return try await method.run(parameters, desk)
    } catch {
      throw RPCFailure(error)
    }
  }

  /// The calls within `system.multicall`.
  static func calls(_ parameters: RPCParameters) throws(RPCFailure) -> [JSONNode] {
    let calls = try parameters.list(0)
    guard calls.count <= RPCMessage.mostCalls else {
      throw .refused("system.multicall takes at most \(RPCMessage.mostCalls) calls.")
    }
    return calls
  }

  /// One of these calls.
  static func nested(_ call: JSONNode) throws(RPCFailure) -> (method: String, parameters: RPCParameters) {
    guard call.object != nil else { throw .refused("system.multicall expected struct.") }
    guard let method = call["methodName"]?.string else { throw .refused("Missing methodName.") }
    guard method != Aria2Method.multicall else { throw .refused("Recursive system.multicall forbidden.") }
    return (method, RPCParameters(call["params"]?.array ?? []))
  }
}

/// Writes answers as they come, so that thousands of them do not wait in memory twice.
private struct Writer {
  let answers: RPCAnswers
  var json = JSONText()
  var wasUnauthorized = false

  init(answers: RPCAnswers) { self.answers = answers }

  /// - Returns: the error that was written.
  mutating func write(_ entry: RPCEntry) async -> RPCFailure? {
    json.beginObject()
    defer { json.endObject() }
    switch entry {
    case .bad(let failure, let id):
      head(id)
      return write(failure)
    case .call(let call):
      head(call.id)
      guard call.method != Aria2Method.multicall else { return await writeMulticall(call.parameters) }
      do throws(RPCFailure) {
        let value = try await run(call.method, call.parameters)
        json.key("result")
        value.write(to: &json)
        return nil
      } catch {
        return write(error)
      }
    }
  }

  private mutating func head(_ id: JSONNode?) {
    json.key("id")
    if let id { json.value(id) } else { json.value(String?.none) }
    json.field("jsonrpc", "2.0")
  }

  private mutating func write(_ failure: RPCFailure) -> RPCFailure {
    json.key("error")
    failure.write(to: &json)
    return failure
  }

  private mutating func run(_ method: String, _ parameters: RPCParameters) async throws(RPCFailure) -> RPCValue {
    guard json.bytes.count <= answers.mostBytes else {
      throw .tooLong
    }
    do throws(RPCFailure) {
      return try await answers.run(method, parameters)
    } catch {
      if error == .unauthorized { wasUnauthorized = true }
      throw error
    }
  }

  /// `system.multicall`: each result in an array of its own, each error as it is. It needs no token; its calls do.
  private mutating func writeMulticall(_ parameters: RPCParameters) async -> RPCFailure? {
    let calls: [JSONNode]
    do throws(RPCFailure) {
      calls = try RPCAnswers.calls(parameters)
    } catch {
      return write(error)
    }
    json.key("result")
    json.beginArray()
    for call in calls {
      do throws(RPCFailure) {
        let (method, parameters) = try RPCAnswers.nested(call)
        let value = try await run(method, parameters)
        json.beginArray()
        value.write(to: &json)
        json.endArray()
      } catch {
        error.write(to: &json)
      }
    }
    json.endArray()
    return nil
  }
}
