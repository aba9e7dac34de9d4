// Starts single downloads.

internal import DrayStore
internal import FoundationEssentials
internal import Threads

extension DownloadManager {
  /// Fetches one URL into a directory. The job survives a crash, and the same call continues it.
  /// - Parameters:
  ///   - url: The URL.
  ///   - directory: The directory for the file, which is created if it is missing; or `s3://BUCKET/PREFIX`.
  ///   - output: The name of the file; `nil` if the server names it.
  ///   - checksum: The digest that the file must have, as `sha-256=HEX` or `sha256:HEX`; otherwise the download fails and
  ///     leaves no file. `nil` if none is known.
  ///   - mirrors: Other URLs of the same file; preferred ones come first.
  ///   - priority: Downloads with a higher priority start first, if more than ``Configuration/maxDownloads`` are wanted.
  /// - Throws: `Failure` of kind `usage` for an invalid URL or checksum; kind `file` for a target that is taken.
  public func download(
    _ url: String, to directory: String = ".", as output: String? = nil, checksum: String? = nil,
    mirrors: [String] = [], priority: Int = 0
  ) async throws(Failure) -> Download {
    let request = try DownloadManager.request(url, "the URL")
    var options = JobOptions()
    if let checksum {
      do throws(DigestParseError) { options.digest = try DigestValue.parse(checksum) } catch {
        throw Failure(.usage, "the checksum", error.message)
      }
    }
    var others: [RequestURL] = []
    for mirror in mirrors { others.append(try DownloadManager.request(mirror, "the mirror").url) }
    others.removeAll { $0 == request.url }
    options.mirrors = others.isEmpty ? nil : others
    return try await download(request, to: directory, as: output, priority: priority, options: options)
  }

  /// Fetches one URL into a directory, with any options of a job.
  /// - Throws: `Failure` of kind `usage` for an invalid URL; kind `file` for a target that is taken.
  public func download(
    _ url: String, to directory: String = ".", as output: String? = nil, priority: Int = 0, options: JobOptions
  ) async throws(Failure) -> Download {
    try await download(
      try DownloadManager.request(url, "the URL"), to: directory, as: output, priority: priority, options: options)
  }

  private static func request(_ url: String, _ subject: String) throws(Failure) -> TransferRequest {
    let parsed: RequestURL.Parsed
    do throws(URLParseError) { parsed = try RequestURL.parse(url) } catch {
      throw Failure(.usage, subject, error.message)
    }
    var request = TransferRequest(url: parsed.url)
    request.credentials = parsed.userInfo.map { Credentials(user: $0.user, password: $0.password ?? "") }
    return request
  }

  /// Sends any request, and stores the body of its answer in a directory. A request that must not be repeated is sent
  /// once, and dray never repeats it on its own (P10). If such a request was interrupted, it is sent again only if the
  /// user resumes the job.
  /// - Parameters:
  ///   - request: The request, which the job keeps.
  ///   - body: The body to send, from ``spool(_:)``. The caller may release it when this method has returned.
  ///   - directory: The directory for the file.
  ///   - output: The name of the file; `nil` if the server names it.
  ///   - priority: Downloads with a higher priority start first.
  ///   - options: The options of the job.
  /// - Throws: `Failure`, if no job was queued.
  public func download(
    _ request: TransferRequest, body: SpooledBody? = nil, to directory: String = ".", as output: String? = nil,
    priority: Int = 0, options: JobOptions = JobOptions()
  ) async throws(Failure) -> Download {
    var request = try await executor.run { () throws(Failure) in try request.completed() }
    if let body { request.body = body.body }
    let isObject = directory.hasPrefix(ObjectPlace.start)
    let absolute = isObject ? directory : URL(fileURLWithPath: directory).standardizedFileURL.path
    let specification = JobSpecification(
      request: request, options: options, directory: absolute, output: output, priority: priority)
    guard let admission = try await admit([specification]).first else {
      throw Failure(.other, request.url.description, "it was not queued")
    }
    let id: JobID
    switch admission {
    case .skipped(let path, _), .present(let path): throw Failure(.file, path, "the target already exists")
    case .alreadyComplete(let done, _, _): id = done
    case .job(let added): id = added.id
    }
    let run = DownloadRun()
    start(run, id, priority: priority)
    return Download(self, id: id, run: run)
  }

  /// Transfers the job of a download, unless it is complete.
  func start(_ run: DownloadRun, _ id: JobID, priority: Int = 0) {
    run.start { readers in
      do throws(Failure) { return .success(try await self.finish(id, priority, readers)) } catch {
        return .failure(error)
      }
    }
  }

  private func finish(
    _ id: JobID, _ priority: Int, _ readers: ProgressReaders
  ) async throws(Failure) -> CompletedDownload {
    if let job = try await store.job(id), !job.state.isFinished { try await transfer(id, priority, readers) }
    guard let job = try await store.job(id) else { throw Failure(.other, "job \(id)", "it was removed") }
    guard job.state == .complete else {
      throw job.failure
        ?? Failure(
          .other, job.specification.request.url.description, "it \(job.state.predicate)",
          advice: "the same download continues it", recovery: .keep)
    }
    let (size, length) = (job.published?.size, job.specification.request.body?.length)
    readers.report(DownloadProgress(received: size ?? 0, size: size, sent: length ?? 0, toSend: length))
    return CompletedDownload(path: job.target ?? job.specification.directory, job: job)
  }

  /// Returns when the job has ended, in this process or in another, or when the task is cancelled.
  private func transfer(_ id: JobID, _ priority: Int, _ readers: ProgressReaders) async throws(Failure) {
    guard await downloadSlots.acquire(priority: priority) else { return }
    defer { downloadSlots.release() }
    var options = RunOptions()
    // Nobody reads the events, so they need not be kept.
    options.observer = { _ in }
    let runner = try await makeRunner(.jobs([id]), options)
    let watch = Task {
      while !Task.isCancelled {
        if readers.isRead, let job = await runner.snapshot().active.first {
          readers.report(
            DownloadProgress(received: job.received, size: job.size, rate: job.rate, sent: job.sent, toSend: job.toSend)
          )
        }
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    defer { watch.cancel() }
    _ = try await runner.run()
  }

  func isPaused(_ id: JobID) async throws(Failure) -> Bool { try await store.job(id)?.state == .paused }

  /// Queues the job of a stopped download again.
  func queueAgain(_ id: JobID) async throws(Failure) {
    switch try await resume([id]).first?.result ?? .unknown {
    case .done, .asked: return
    case .refused(let reason, let advice):
      guard try await store.job(id)?.state != .complete else { return }
      throw Failure(.other, "job \(id)", reason, advice: advice, recovery: .keep)
    case .unknown: throw Failure(.other, "job \(id)", "it was removed")
    }
  }
}
