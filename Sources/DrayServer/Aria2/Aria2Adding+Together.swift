// Adds the jobs of many calls in one message at once, in a single step of the store.

internal import DrayCore
internal import DrayDocuments

extension Aria2Adding {
  /// The maximum number of jobs that are added in one step, because other processes wait until the step ends.
  private static let mostTogether = 1000

  /// Returns the calls at the start of `orders` which add jobs at the end of the queue.
  static func group(_ orders: some Collection<Result<RPCOrder, RPCFailure>>) -> [RPCParameters] {
    var group: [RPCParameters] = []
    for order in orders.prefix(mostTogether) {
      guard case .success(let order) = order, order.method == addURIName, order.parameters.addAtTheEnd else { break }
      group.append(order.parameters)
    }
    return group
  }

  /// Carries out the calls of a group. A call that fails does not prevent the others.
  /// - Returns: The outcome of each call.
  static func addTogether(_ calls: [RPCParameters], _ context: Aria2Context) async -> [RPCAnswers.Outcome] {
    let usual: OptionMeaning.Values
    do {
      usual = try await context.queue.keptOptions(of: nil)
    } catch {
      return calls.map { _ in .failure(RPCFailure(error)) }
    }
    var outcomes: [RPCAnswers.Outcome?] = []
    var additions: [Aria2Addition] = []
    for call in calls {
      do throws(RPCFailure) {
        let other = additions.last?.specification.request.url
        additions.append(try order(call, usual: usual, near: other, context).addition)
        outcomes.append(nil)
      } catch {
        outcomes.append(.failure(error))
      }
    }
    return filled(outcomes, with: await add(additions, context))
  }

  /// Returns all outcomes in order: those that are known, and the others in the places that are `nil`.
  static func filled(
    _ known: [RPCAnswers.Outcome?], with others: [RPCAnswers.Outcome]
  ) -> [RPCAnswers.Outcome] {
    var others = others.makeIterator()
    return known.map { $0 ?? others.next() ?? .failure(.refused("No URI to download.")) }
  }

  /// Adds all jobs in one step. If the queue refuses this, it is asked about each job. Jobs that it refuses in any case
  /// are left out; the others are tried together again, and finally one by one.
  private static func add(_ additions: [Aria2Addition], _ context: Aria2Context) async -> [RPCAnswers.Outcome] {
    if additions.count > 1 {
      if let added = try? await addAtOnce(additions, context) { return added.map { .success($0) } }
      let objections = additions.map(context.queue.objection)
      let rest = zip(additions, objections).filter { $1 == nil }.map(\.0)
      if rest.count < additions.count {
        return filled(objections.map { $0.map { .failure(RPCFailure($0)) } }, with: await add(rest, context))
      }
    }
    var outcomes: [RPCAnswers.Outcome] = []
    for addition in additions {
      do {
        outcomes += try await addAtOnce([addition], context).map { .success($0) }
      } catch {
        outcomes.append(.failure(RPCFailure(error)))
      }
    }
    return outcomes
  }

  private static func addAtOnce(_ additions: [Aria2Addition], _ context: Aria2Context) async throws -> [RPCValue] {
    let gids = try await context.queue.add(additions, at: nil)
    guard gids.count == additions.count else { throw RPCFailure.refused("No URI to download.") }
    return gids.map { .string($0.text) }
  }
}

extension RPCParameters {
  /// Whether the call chooses neither a position nor a GID. For either of them, the queue would have to be read first.
  fileprivate var addAtTheEnd: Bool {
    var parameters = self
    _ = parameters.takeToken()
    guard parameters.count < 3, let members = try? parameters.optionalMembers(1) ?? [] else { return false }
    return !members.contains { $0.name == "gid" }
  }
}
