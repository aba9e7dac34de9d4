// Carries out calls in JSON, and writes the answers (JSON-RPC 2.0 §5).

internal import DrayCore
internal import DrayDocuments

struct RPCAnswers: Sendable {
  let context: Aria2Context
  /// Returns whether a call is permitted, given its token (`nil` if it has none) and whether the call changes
  /// something. The duration of this check does not depend on the token.
  let permits: @Sendable (_ token: String?, _ changes: Bool) -> Bool
  /// The approximate maximum length, in bytes, of the answer to one message. Once the answer has this length, the
  /// remaining calls are not carried out.
  var mostBytes = 16 << 20

  init(context: Aria2Context, permits: @escaping @Sendable (_ token: String?, _ changes: Bool) -> Bool) {
    (self.context, self.permits) = (context, permits)
  }

  /// Creates answers with one rule for calls that change something and calls that do not.
  init(context: Aria2Context, isAuthorized: @escaping @Sendable (String?) -> Bool) {
    self.init(context: context) { token, _ in isAuthorized(token) }
  }

  struct Answer: Sendable, Equatable {
    var body: [UInt8]
    /// The status of the HTTP response, as in aria2.
    var status: Int

    /// Returns the answer as the argument of a call of a JavaScript function.
    func called(_ callback: String) -> Answer {
      var answer = self
      answer.body = Array("\(callback)(".utf8) + body + [UInt8(ascii: ")")]
      return answer
    }
  }

  /// Carries out the calls of a message in order, and returns the answer.
  func answer(_ message: RPCMessage) async -> Answer {
    var tally = RPCTally()
    let outcomes = await outcomes(of: message.entries.map(\.order), .json, &tally)
    var answer = Answer(body: [], status: RPCAnswers.status(of: message, outcomes.first))
    answer.body = await LongWork.run(outcomes.reduce(0) { $0 + $1.entries }) { message.written(outcomes) }
    return answer
  }

  /// Returns the answer to a message with one call if the answer is in memory; never waits.
  func known(_ message: RPCMessage) -> Answer? {
    guard case .one(.call(let call)) = message, let method = Aria2Method.named(call.method), let known = method.known
    else { return nil }
    var parameters = call.parameters
    let outcome: Outcome
    if !method.needsToken || permits(parameters.takeToken(), !method.looks) {
      do {
        guard let value = try known(parameters, context) else { return nil }
        outcome = .success(value)
      } catch {
        outcome = .failure(RPCFailure(error))
      }
    } else {
      outcome = .failure(.unauthorized)
    }
    return Answer(body: message.written([outcome]), status: RPCAnswers.status(of: message, outcome))
  }

  /// Returns the status of the HTTP response, which tells of an error only if the message is a single call.
  private static func status(of message: RPCMessage, _ first: Outcome?) -> Int {
    if case .one = message, case .failure(let failure)? = first { failure.httpStatus } else { 200 }
  }

  /// Carries out the calls of a query, and wraps the answer in a function call if the query asks for that.
  func answer(_ query: RPCQuery) async -> Answer {
    let answer = await answer(query.message)
    return query.callback.map(answer.called) ?? answer
  }
}

extension RPCAnswers.Outcome {
  /// The number of list entries that the answer contains.
  fileprivate var entries: Int { (try? get())?.entries ?? 1 }
}

extension RPCMessage {
  fileprivate var entries: [RPCEntry] {
    switch self {
    case .one(let entry): [entry]
    case .batch(let entries): entries
    }
  }

  fileprivate func written(_ outcomes: [RPCAnswers.Outcome]) -> [UInt8] {
    var json = JSONText()
    let isBatch = if case .batch = self { true } else { false }
    if isBatch { json.beginArray() }
    for (entry, outcome) in zip(entries, outcomes) { json.answer(outcome, to: entry) }
    if isBatch { json.endArray() }
    return json.bytes
  }
}

extension RPCEntry {
  fileprivate var order: Result<RPCOrder, RPCFailure> {
    switch self {
    case .call(let call): .success(RPCOrder(method: call.method, parameters: call.parameters))
    case .bad(let failure, _): .failure(failure)
    }
  }

  fileprivate var id: JSONNode? {
    switch self {
    case .call(let call): call.id
    case .bad(_, let id): id
    }
  }
}

extension JSONText {
  fileprivate mutating func answer(_ outcome: RPCAnswers.Outcome, to entry: RPCEntry) {
    beginObject()
    key("id")
    if let id = entry.id { value(id) } else { value(String?.none) }
    field("jsonrpc", "2.0")
    switch outcome {
    case .success(let result):
      key("result")
      result.write(to: &self)
    case .failure(let failure):
      key("error")
      failure.value(.json).write(to: &self)
    }
    endObject()
  }
}
