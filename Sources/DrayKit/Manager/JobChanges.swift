// The changes to jobs by all runners and processes, as a sequence for any number of readers.

public import DrayStore

/// The changes to the jobs of a store. Each reader gets the present jobs first, and then every change of their records.
///
/// Reading takes no lock and changes nothing. It costs nothing while no job is active and the store does not change.
/// The sequence ends when the reading task is cancelled.
public struct JobChanges: AsyncSequence, Sendable {
  /// One change.
  public typealias Element = JobChange
  /// The error that may end the sequence.
  public typealias Failure = DrayCore.Failure

  let manager: DownloadManager
  let ids: [JobID]?
  /// The seconds between two readings of the records.
  var interval = 0.2

  /// The changes in batches.
  public var batches: Batches { Batches(changes: self) }

  /// What one reading of the records has found.
  public struct Batch: Sendable {
    /// The changes in order; of the progress, only the latest.
    public var changes: [JobChange]
    /// The progress of the active jobs.
    public var progress: [JobID: ProgressEntry]
    /// Whether any live process transfers jobs.
    public var hasRunners: Bool
    /// The records that were read: of the named jobs, or of all unfinished and new ones; `nil` if the store has not
    /// changed. They also show what the changes omit, such as priorities and positions in the queue.
    public var records: [JobSummary]?
  }

  /// The changes in batches: the first at once, then one after each change, and five a second while jobs are active.
  public struct Batches: AsyncSequence, Sendable {
    /// One batch.
    public typealias Element = Batch
    /// The error that may end the sequence.
    public typealias Failure = DrayCore.Failure

    let changes: JobChanges

    /// Iterates over the batches.
    public struct Iterator: AsyncIteratorProtocol {
      let reader: JobChangeReader

      /// Returns the next batch; `nil` once the task is cancelled.
      /// - Throws: Kind `store`.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(DrayCore.Failure) -> Batch? {
        try await reader.next()
      }

      /// Returns the next batch; `nil` once the task is cancelled.
      /// - Throws: Kind `store`.
      public mutating func next() async throws(DrayCore.Failure) -> Batch? { try await reader.next() }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
      Iterator(reader: JobChangeReader(changes.manager, changes.ids, interval: changes.interval))
    }
  }

  /// Iterates over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    private var batches: Batches.Iterator
    private var batch: [JobChange] = []
    private var position = 0

    init(_ batches: Batches.Iterator) { self.batches = batches }

    /// Returns the next change; `nil` once the task is cancelled.
    /// - Throws: Kind `store`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DrayCore.Failure) -> JobChange? {
      while position == batch.count {
        guard let new = try await batches.next(isolation: actor) else { return nil }
        (batch, position) = (new.changes, 0)
      }
      defer { position += 1 }
      return batch[position]
    }

    /// Returns the next change; `nil` once the task is cancelled.
    /// - Throws: Kind `store`.
    public mutating func next() async throws(DrayCore.Failure) -> JobChange? { try await next(isolation: nil) }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator { Iterator(batches.makeAsyncIterator()) }
}

extension DownloadManager {
  /// Returns the changes to jobs from now on, by any process.
  /// - Parameter ids: The jobs; `nil` for all unfinished jobs and those that are added later.
  public func changes(of ids: [JobID]? = nil) -> JobChanges { JobChanges(manager: self, ids: ids) }
}
