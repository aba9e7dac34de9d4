// Events are passed on in batches, because waiting for each single event would cost more than publishing a small file.

/// The events of a runner, in order, for one reader. The sequence ends with the run.
public struct JobEvents: AsyncSequence, Sendable {
  let batches: AsyncStream<[JobEvent]>

  /// Iterates over the events.
  public struct Iterator: AsyncIteratorProtocol {
    private var batches: AsyncStream<[JobEvent]>.Iterator
    private var batch: [JobEvent] = []
    private var position = 0

    init(_ batches: AsyncStream<[JobEvent]>.Iterator) { self.batches = batches }

    /// Returns the next event; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> JobEvent? {
      while position == batch.count {
        guard let new = await batches.next(isolation: actor) else { return nil }
        (batch, position) = (new, 0)
      }
      defer { position += 1 }
      return batch[position]
    }

    /// Returns the next event; `nil` at the end.
    public mutating func next() async -> JobEvent? { await next(isolation: nil) }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator { Iterator(batches.makeAsyncIterator()) }
}
