// What happens to jobs, across all runners and processes, as a sequence for any number of readers.

public import DrayStore

/// What happens to the jobs of a store: each reader is given the jobs as they are, then every change that their records show.
///
/// Reading holds nothing and changes nothing. While no job is active and nothing changes, it costs nothing either. It ends
/// when the reading task is cancelled.
public struct JobChanges: AsyncSequence, Sendable {
  /// One change.
  public typealias Element = JobChange
  /// What reading may end with.
  public typealias Failure = DrayCore.Failure

  let manager: DownloadManager
  let ids: [JobID]?
  /// Seconds between two readings of the records.
  var interval = 0.2

  /// The same in batches.
  public var batches: Batches { Batches(changes: self) }

  /// What is known after one reading of the records.
  public struct Batch: Sendable {
    /// What happened, in order; of progress what is new.
    public var changes: [JobChange]
    /// How far the active jobs are.
    public var progress: [JobID: ProgressEntry]
    /// Whether some process that is alive transfers jobs.
    public var hasRunners: Bool
    /// The records that were read: of the jobs that were named, or of all that have not ended and those that are new; `nil`
    /// where nothing in the store has changed. What is not in the changes is in them, too: priorities, places in the queue.
    public var records: [JobSummary]?
  }

  /// Changes in batches: one at first, one after each change, and five a second while jobs are active.
  public struct Batches: AsyncSequence, Sendable {
    /// One batch.
    public typealias Element = Batch
    /// What reading may end with.
    public typealias Failure = DrayCore.Failure

    let changes: JobChanges

    /// Reads batches.
    public struct Iterator: AsyncIteratorProtocol {
      let reader: JobChangeReader

      /// The next batch; `nil` once the task is cancelled.
      /// - Throws: kind `store`.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(DrayCore.Failure) -> Batch? {
        try await reader.next()
      }

      /// The next batch; `nil` once the task is cancelled.
      /// - Throws: kind `store`.
      public mutating func next() async throws(DrayCore.Failure) -> Batch? { try await reader.next() }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
      Iterator(reader: JobChangeReader(changes.manager, changes.ids, interval: changes.interval))
    }
  }

  /// Reads changes.
  public struct Iterator: AsyncIteratorProtocol {
    private var batches: Batches.Iterator
    private var batch: [JobChange] = []
    private var position = 0

    init(_ batches: Batches.Iterator) { self.batches = batches }

    /// The next change; `nil` once the task is cancelled.
    /// - Throws: kind `store`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DrayCore.Failure) -> JobChange? {
      while position == batch.count {
        guard let new = try await batches.next(isolation: actor) else { return nil }
        (batch, position) = (new.changes, 0)
      }
      defer { position += 1 }
      return batch[position]
    }

    /// The next change; `nil` once the task is cancelled.
    /// - Throws: kind `store`.
    public mutating func next() async throws(DrayCore.Failure) -> JobChange? { try await next(isolation: nil) }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(batches.makeAsyncIterator()) }
}

extension DownloadManager {
  /// What happens to jobs from now on, whichever process transfers them.
  /// - Parameter ids: the jobs; `nil` is all that have not ended, and those that are added.
  public func changes(of ids: [JobID]? = nil) -> JobChanges { JobChanges(manager: self, ids: ids) }
}
