// A runner's events as a sequence. They travel in batches: to wait for each of them would cost a small file more than
// its name.

/// The events of a runner, in order, for one reader. It ends with the run.
public struct JobEvents: AsyncSequence, Sendable {
  let batches: AsyncStream<[JobEvent]>

  /// Reads them.
  public struct Iterator: AsyncIteratorProtocol {
    private var batches: AsyncStream<[JobEvent]>.Iterator
    private var batch: [JobEvent] = []
    private var position = 0

    init(_ batches: AsyncStream<[JobEvent]>.Iterator) { self.batches = batches }

    /// The next event; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> JobEvent? {
      while position == batch.count {
        guard let new = await batches.next(isolation: actor) else { return nil }
        (batch, position) = (new, 0)
      }
      defer { position += 1 }
      return batch[position]
    }

    /// The next event; `nil` at the end.
    public mutating func next() async -> JobEvent? { await next(isolation: nil) }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(batches.makeAsyncIterator()) }
}
