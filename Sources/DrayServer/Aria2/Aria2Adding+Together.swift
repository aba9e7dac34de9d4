// Many jobs that are added by many calls of one message, in one step.

internal import DrayCore
internal import DrayDocuments

extension Aria2Adding {
  /// The most jobs that are added in one step: other processes wait for its end.
  private static let mostTogether = 1000

  /// The calls that orders begin with, if all of them add jobs at the end of the queue.
  static func group(_ orders: some Collection<Result<RPCOrder, RPCFailure>>) -> [RPCParameters] {
    var group: [RPCParameters] = []
    for order in orders.prefix(mostTogether) {
      guard case .success(let order) = order, order.method == addURIName, order.parameters.addAtTheEnd else { break }
      group.append(order.parameters)
    }
    return group
  }

  /// Carries out such calls. What one of them cannot do keeps none of the others from being done.
  /// - Returns: what each comes to.
  static func addTogether(_ calls: [RPCParameters], _ desk: Aria2Desk) async -> [RPCAnswers.Outcome] {
    var outcomes: [RPCAnswers.Outcome?] = []
    var additions: [Aria2Addition] = []
    for call in calls {
      do {
        let addition = try await order(call, desk).addition
        if let objection = desk.queue.objection(to: addition) { throw objection }
        additions.append(addition)
        outcomes.append(nil)
      } catch {
        outcomes.append(.failure(RPCFailure(error)))
      }
    }
    var added = await add(additions, desk).makeIterator()
    return outcomes.map { $0 ?? added.next() ?? .failure(.refused("No URI to download.")) }
  }

  /// Adds all in one step, or, if the queue refuses that, each by itself.
  private static func add(_ additions: [Aria2Addition], _ desk: Aria2Desk) async -> [RPCAnswers.Outcome] {
    if additions.count > 1, let added = try? await addAtOnce(additions, desk) { return added.map { .success($0) } }
    var outcomes: [RPCAnswers.Outcome] = []
    for addition in additions {
      do {
        outcomes += try await addAtOnce([addition], desk).map { .success($0) }
      } catch {
        outcomes.append(.failure(RPCFailure(error)))
      }
    }
    return outcomes
  }

  private static func addAtOnce(_ additions: [Aria2Addition], _ desk: Aria2Desk) async throws -> [RPCValue] {
    let gids = try await desk.queue.add(additions, at: nil)
    guard gids.count == additions.count else { throw RPCFailure.refused("No URI to download.") }
    return gids.map { .string($0.text) }
  }
}

extension RPCParameters {
  /// Whether they neither choose a place in the queue nor a GID, for which the queue has to be looked at first.
  fileprivate var addAtTheEnd: Bool {
    var parameters = self
    _ = parameters.takeToken()
    guard parameters.count < 3, let members = try? parameters.optionalMembers(1) ?? [] else { return false }
    return !members.contains { $0.name == "gid" }
  }
}
