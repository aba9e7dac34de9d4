// A single download, for programs that start it, watch it, and wait for it.

public import DrayStore

/// A download in progress.
public struct Download: Sendable, Identifiable {
  /// The number of the download's job.
  public let id: JobID
  private let manager: DownloadManager
  private let run: DownloadRun

  init(_ manager: DownloadManager, id: JobID, run: DownloadRun) {
    (self.manager, self.id, self.run) = (manager, id, run)
  }

  /// The progress: the newest value immediately, then a few values per second until the download ends or is stopped. If
  /// the download succeeds, the last value is the complete file. Each use of this property makes a sequence for one
  /// more reader; a slow reader skips values.
  public var progress: AsyncStream<DownloadProgress> { run.readers.add() }

  /// Waits for the complete file. If the waiting task is cancelled, the download stops as by ``cancel()``.
  /// - Throws: The failure of the download; kind `other` if it was cancelled, paused or removed.
  public func value() async throws(Failure) -> CompletedDownload { try await run.outcome().get() }

  /// Stops the download. The received bytes are kept. ``resume()`` continues from them, and so does the same call of
  /// `download`, in this process or in a later one.
  public func cancel() { run.cancel() }

  /// Pauses the job. Received bytes are kept, ``value()`` throws, and no runner continues the job before ``resume()``
  /// or ``DownloadManager/resume(_:)``.
  /// - Returns: What became of the command; the job may already be complete.
  /// - Throws: Kind `store`.
  @discardableResult
  public func pause() async throws(Failure) -> ControlResult {
    try await manager.pause([id]).first?.result ?? .unknown
  }

  /// Continues a download that was paused, cancelled or interrupted. Afterwards ``value()`` waits for its new end. If
  /// the download is still running, or is complete, nothing changes.
  /// - Throws: Kind `other` if the job was removed or has failed; kind `store`.
  public func resume() async throws(Failure) {
    if run.goesOn, try await !manager.isPaused(id) { return }
    // A download that was just stopped may still be recording its bytes.
    await run.ended()
    try await manager.queueAgain(id)
    manager.start(run, id)
  }
}

/// The progress of a download.
public struct DownloadProgress: Sendable, Equatable {
  /// The number of bytes on disk.
  public var received: Int64
  /// The length of the file; `nil` if unknown.
  public var size: Int64?
  /// The bytes per second, smoothed over a few seconds; `nil` before the first byte.
  public var rate: Double?
  /// The number of bytes of the request body that were sent.
  public var sent: Int64 = 0
  /// The length of the request body; `nil` if there is none.
  public var toSend: Int64?
  /// The fraction of the file that is on disk, from 0 to 1; `nil` while the length is unknown.
  public var fraction: Double? {
    size.map { $0 == 0 ? 1 : min(1, Double(received) / Double($0)) }
  }
}

/// A download that has succeeded: a file that was fetched, checked and published, or an answer without a file.
public struct CompletedDownload: Sendable, Equatable {
  /// The path of the file, or of the directory if there is no file (``hasFile``).
  public var path: String
  /// The job, with its answer, its validators and its digest.
  public var job: Job
  /// Whether there is a file. There is one if the answer had a body. The answer to a DELETE, for example, may have no
  /// body.
  public var hasFile: Bool { job.published != nil }
}
