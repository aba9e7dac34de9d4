// Carries out calls: checks permissions, keeps the order, and combines calls where that is possible.

internal import DrayDocuments

/// A method and the parameters of one call of it.
struct RPCOrder: Sendable, Equatable {
  var method: String
  var parameters: RPCParameters
}

/// Counts the length of the answers to one message.
struct RPCTally: Sendable {
  /// The approximate number of bytes in the answer so far.
  var bytes = 0

  fileprivate mutating func note(_ outcome: RPCAnswers.Outcome) {
    switch outcome {
    case .success(let value): bytes += value.size
    case .failure(let failure): bytes += failure.message.utf8.count
    }
  }
}

extension RPCAnswers {
  typealias Outcome = Result<RPCValue, RPCFailure>

  /// Carries out orders one after the other. For an order that is invalid, the outcome is its error.
  ///
  /// Adjacent orders that add jobs are carried out in one step, because each step has to wait for the disk.
  func outcomes(
    of orders: [Result<RPCOrder, RPCFailure>], _ form: RPCForm, _ tally: inout RPCTally
  ) async -> [Outcome] {
    var outcomes: [Outcome] = []
    while outcomes.count < orders.count {
      let group = Aria2Adding.group(orders[outcomes.count...])
      if group.count > 1, tally.bytes <= mostBytes {
        outcomes += await added(group, &tally)
      } else {
        outcomes.append(await outcome(of: orders[outcomes.count], form, &tally))
      }
    }
    return outcomes
  }

  private func outcome(
    of order: Result<RPCOrder, RPCFailure>, _ form: RPCForm, _ tally: inout RPCTally
  ) async -> Outcome {
    let outcome: Outcome
    do throws(RPCFailure) {
      let order = try order.get()
      guard tally.bytes <= mostBytes else { throw .tooLong }
      guard order.method != Aria2Method.multicall else {
        // The calls in the multicall have already been counted in `tally`, so the multicall is not.
        return .success(try await multicall(order.parameters, form, &tally))
      }
      outcome = .success(try await run(order))
    } catch {
      outcome = .failure(error)
    }
    tally.note(outcome)
    return outcome
  }

  private func run(_ order: RPCOrder) async throws(RPCFailure) -> RPCValue {
    var parameters = order.parameters
    let method = Aria2Method.named(order.method)
    if method?.needsToken ?? true {
      guard permits(parameters.takeToken(), !(method?.looks ?? true)) else { throw .unauthorized }
    }
    guard let method else { throw .refused("No such method: \(order.method)") }
    do {
      return try await method.run(parameters, context)
    } catch {
      throw RPCFailure(error)
    }
  }

  private func added(_ group: [RPCParameters], _ tally: inout RPCTally) async -> [Outcome] {
    var permitted: [RPCParameters] = []
    let arePermitted = group.map { given in
      var parameters = given
      guard permits(parameters.takeToken(), true) else { return false }
      permitted.append(parameters)
      return true
    }
    var added = await Aria2Adding.addTogether(permitted, context).makeIterator()
    let outcomes = arePermitted.map { isPermitted in
      (isPermitted ? added.next() : nil) ?? .failure(.unauthorized)
    }
    for outcome in outcomes { tally.note(outcome) }
    return outcomes
  }

  /// Carries out `system.multicall`: each result is wrapped in an array, and errors are not. The multicall itself needs
  /// no token, but the calls in it do.
  private func multicall(
    _ parameters: RPCParameters, _ form: RPCForm, _ tally: inout RPCTally
  ) async throws(RPCFailure) -> RPCValue {
    let calls = try parameters.list(0)
    guard calls.count <= RPCMessage.mostCalls else {
      throw .refused("system.multicall takes at most \(RPCMessage.mostCalls) calls.")
    }
    let orders = calls.map { call in Result { () throws(RPCFailure) in try RPCOrder(nested: call) } }
    return .list(
      await outcomes(of: orders, form, &tally).map { outcome in
        switch outcome {
        case .success(let value): .list([value])
        case .failure(let failure): failure.value(form)
        }
      })
  }
}

extension RPCOrder {
  /// Creates the order of one call inside a multicall.
  fileprivate init(nested call: JSONNode) throws(RPCFailure) {
    guard call.object != nil else { throw .refused("system.multicall expected struct.") }
    guard let method = call["methodName"]?.string else { throw .refused("Missing methodName.") }
    guard method != Aria2Method.multicall else { throw .refused("Recursive system.multicall forbidden.") }
    self.init(method: method, parameters: RPCParameters(call["params"]?.array ?? []))
  }
}
