// A single download, for programs that start it, watch it, and wait for it.

public import DrayStore
internal import FoundationEssentials
internal import Threads

/// A download in progress.
public struct Download: Sendable, Identifiable {
  /// The number of the download's job.
  public let id: JobID
  /// The progress, which is reported a few times per second until the download ends. If the download succeeds, the last
  /// value is the complete file. Only one reader may iterate over this sequence.
  public let progress: AsyncStream<DownloadProgress>
  private let manager: DownloadManager
  private let task: Task<Result<CompletedDownload, Failure>, Never>

  init(
    _ manager: DownloadManager, id: JobID, progress: AsyncStream<DownloadProgress>,
    task: Task<Result<CompletedDownload, Failure>, Never>
  ) {
    (self.manager, self.id, self.progress, self.task) = (manager, id, progress, task)
  }

  /// Waits for the complete file.
  /// - Throws: The failure of the download; kind `other` if it was cancelled, paused or removed.
  public func value() async throws(Failure) -> CompletedDownload { try await task.value.get() }

  /// Stops the download. The received bytes are kept, and the same download continues from them another time.
  public func cancel() { task.cancel() }

  /// Pauses the job. Received bytes are kept, ``value()`` throws, and no runner continues the job before
  /// ``DownloadManager/resume(_:)``.
  /// - Returns: What became of the command; the job may already be complete.
  /// - Throws: Kind `store`.
  @discardableResult
  public func pause() async throws(Failure) -> ControlResult {
    try await manager.pause([id]).first?.result ?? .unknown
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

extension DownloadManager {
  /// Fetches one URL into a directory. The job survives a crash, and the same call continues it.
  /// - Throws: `Failure` of kind `usage` for an invalid URL.
  public func download(
    _ url: String, to directory: String = ".", as output: String? = nil, options: JobOptions = JobOptions()
  ) async throws(Failure) -> Download {
    let parsed: RequestURL.Parsed
    do throws(URLParseError) {
      parsed = try RequestURL.parse(url)
    } catch {
      throw Failure(.usage, "the URL", error.message)
    }
    var request = TransferRequest(url: parsed.url)
    request.credentials = parsed.userInfo.map { Credentials(user: $0.user, password: $0.password ?? "") }
    return try await download(request, to: directory, as: output, options: options)
  }

  /// Sends any request, and stores the body of its answer in a directory. A request that must not be repeated is sent
  /// once, and dray never repeats it on its own (P10). If such a request was interrupted, it is sent again only if the
  /// user resumes the job.
  /// - Parameters:
  ///   - request: The request, which the job keeps.
  ///   - body: The body to send, from ``spool(_:)``. The caller may release it when this method has returned.
  ///   - directory: The directory for the file.
  ///   - output: The name of the file; `nil` if the server names it.
  ///   - options: The options of the job.
  /// - Throws: `Failure`, if no job was queued.
  public func download(
    _ request: TransferRequest, body: SpooledBody? = nil, to directory: String = ".", as output: String? = nil,
    options: JobOptions = JobOptions()
  ) async throws(Failure) -> Download {
    var request = try await executor.run { () throws(Failure) in try request.completed() }
    if let body { request.body = body.body }
    let absolute = URL(fileURLWithPath: directory).standardizedFileURL.path
    let specification = JobSpecification(request: request, options: options, directory: absolute, output: output)
    guard let admission = try await admit([specification]).first else {
      throw Failure(.other, request.url.description, "it was not queued")
    }
    let id: JobID
    switch admission {
    case .skipped(let path, _), .present(let path): throw Failure(.file, path, "the target already exists")
    case .alreadyComplete(let done, _): id = done
    case .job(let added): id = added.id
    }
    let (progress, sink) = AsyncStream.makeStream(of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task { () async -> Result<CompletedDownload, Failure> in
      defer { sink.finish() }
      do throws(Failure) { return .success(try await self.finish(id, admission, sink)) } catch {
        return .failure(error)
      }
    }
    return Download(self, id: id, progress: progress, task: task)
  }

  private func finish(
    _ id: JobID, _ admission: Admission, _ sink: AsyncStream<DownloadProgress>.Continuation
  ) async throws(Failure) -> CompletedDownload {
    if case .job = admission {
      let runner = try await makeRunner(.jobs([id]))
      let watch = Task {
        while !Task.isCancelled {
          if let job = await runner.snapshot().active.first {
            sink.yield(
              DownloadProgress(
                received: job.received, size: job.size, rate: job.rate, sent: job.sent, toSend: job.toSend))
          }
          try await Task.sleep(for: .milliseconds(200))
        }
      }
      defer { watch.cancel() }
      _ = try await runner.run()
    }
    guard let job = try await store.job(id) else { throw Failure(.other, "job \(id)", "it was removed") }
    guard job.state == .complete else {
      throw job.failure ?? Failure(.other, job.specification.request.url.description, "it \(job.state.predicate)")
    }
    let (size, length) = (job.published?.size, job.specification.request.body?.length)
    sink.yield(DownloadProgress(received: size ?? 0, size: size, sent: length ?? 0, toSend: length))
    return CompletedDownload(path: job.target ?? job.specification.directory, job: job)
  }
}
