// One download for programs: start it, watch it, wait for it.

public import DrayStore
internal import FoundationEssentials
internal import Glibc
internal import Threads

/// A download that is under way.
public struct Download: Sendable, Identifiable {
  /// The number of its job.
  public let id: JobID
  /// How far it is, a few times a second, until it ends; of a file that is complete, the last is the whole. For one reader.
  public let progress: AsyncStream<DownloadProgress>
  private let manager: DownloadManager
  private let task: Task<Result<CompletedDownload, Failure>, Never>

  init(
    _ manager: DownloadManager, id: JobID, progress: AsyncStream<DownloadProgress>,
    task: Task<Result<CompletedDownload, Failure>, Never>
  ) {
    (self.manager, self.id, self.progress, self.task) = (manager, id, progress, task)
  }

  /// Waits for the file.
  /// - Throws: why there is none; kind `other` where it was cancelled, paused or removed.
  public func value() async throws(Failure) -> CompletedDownload { try await task.value.get() }

  /// Stops it; what was received is kept, and the same download continues from there another time.
  public func cancel() { task.cancel() }

  /// Pauses its job: what was received is kept, ``value()`` throws, and no runner goes on with it before
  /// ``DownloadManager/resume(_:)``.
  /// - Returns: what became of that: it may be complete already.
  /// - Throws: kind `store`.
  @discardableResult
  public func pause() async throws(Failure) -> ControlResult {
    try await manager.pause([id]).first?.result ?? .unknown
  }
}

/// How far a download is.
public struct DownloadProgress: Sendable, Equatable {
  /// Bytes that are here.
  public var received: Int64
  /// The length of the file, `nil` if unknown.
  public var size: Int64?
  /// Bytes a second, smoothed over a few seconds; `nil` where none came yet.
  public var rate: Double?
  /// Bytes of the request's body that were sent.
  public var sent: Int64 = 0
  /// The length of the request's body; `nil` if there is none.
  public var toSend: Int64?
  /// What of the file is here, from 0 to 1; `nil` as long as its length is not known.
  public var fraction: Double? {
    size.map { $0 == 0 ? 1 : min(1, Double(received) / Double($0)) }
  }
}

/// A file that was fetched, checked and published; or a request that was answered without one.
public struct CompletedDownload: Sendable, Equatable {
  /// The path of the file; that of the directory where there is none (``hasFile``).
  public var path: String
  /// Its job, with all that is known: response, validators, digest.
  public var job: Job
  /// Whether the answer had a body, and so became a file: that to a DELETE may have none.
  public var hasFile: Bool { job.published != nil }
}

extension DownloadManager {
  /// Fetches one URL into a directory. It is a job like any other: it survives a crash, and the same call again
  /// continues it.
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

  /// Makes any request, and puts the body of its answer into a directory. One that is not safe is made once and never
  /// repeated by itself (P10): where it was interrupted, `resume` of its job sends it again.
  /// - Parameters:
  ///   - request: the request, which the job keeps.
  ///   - body: what is sent; ``spool(_:)`` makes it. It may be let go once this returns.
  ///   - directory: where the file goes.
  ///   - output: its name; else the server names it.
  ///   - options: what else holds for the job.
  /// - Throws: `Failure`: nothing was queued then.
  public func download(
    _ request: TransferRequest, body: SpooledBody? = nil, to directory: String = ".", as output: String? = nil,
    options: JobOptions = JobOptions()
  ) async throws(Failure) -> Download {
    var request = try await desk.run { () throws(Failure) in try request.completed() }
    if let body { request.body = body.body }
    let absolute = URL(fileURLWithPath: directory).standardizedFileURL.path
    let specification = JobSpecification(request: request, options: options, directory: absolute, output: output)
    guard let admission = try await admit([specification]).first else {
      throw Failure(.other, request.url.description, "it was not queued")
    }
    let id: JobID
    switch admission {
    case .skipped(let path): throw Failure(.file, path, "the target already exists")
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
