// Asks the system whether a server's name exists, after a request could not resolve it.

internal import Posix
internal import Threads

/// Each lookup has a time limit.
struct NameLookup: Sendable {
  /// The maximum number of seconds for a lookup, because without a network the resolver may need longer.
  private static let patience = 5
  private let executor = BlockingExecutor("dray.names")

  /// Adds the resolver's answer to a failure: the name does not exist, or it cannot be looked up at present.
  /// - Parameter url: The URL whose host could not be resolved.
  func examined(_ failure: Failure, at url: RequestURL) async -> Failure {
    guard failure.obstacle == .unresolvedName, await answer(url.host) == .unknown else { return failure }
    return failure.ofUnknownName(url.host)
  }

  /// Returns the answer; ``NameAnswer/undecided`` if the resolver takes too long.
  private func answer(_ name: String) async -> NameAnswer {
    let (answers, reply) = AsyncStream.makeStream(of: NameAnswer.self, bufferingPolicy: .bufferingOldest(1))
    ask(name) { _ = reply.yield($0) }
    let limit = Task {
      // The task is cancelled when the answer comes.
      do { try await Task.sleep(for: .seconds(NameLookup.patience)) } catch { return }
      _ = reply.yield(.undecided)
    }
    defer { limit.cancel() }
    var iterator = answers.makeAsyncIterator()
    return await iterator.next() ?? .undecided
  }

  /// Asks the resolver, and returns at once.
  private func ask(_ name: String, _ answered: @escaping @Sendable (NameAnswer) -> Void) {
    executor.start { answered(System.lookUp(name)) }
  }
}
