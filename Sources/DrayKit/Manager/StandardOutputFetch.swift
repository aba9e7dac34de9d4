// `-o -`: fetches a file for standard output, as a job of a queue in memory, into a private directory. Bytes that were
// written to a pipe cannot be taken back if the server's version changes (P2, P12), so the file is written once it is
// complete and checked. With --in-order it is written while it arrives (InOrderOutput.swift).

internal import DrayEngine
internal import DrayStore
internal import Posix
internal import Synchronization
internal import Threads

/// What a fetch to a descriptor uses of its program.
package struct OutputTools: Sendable {
  /// The manager whose HSTS list and cookies are applied and extended.
  package var manager: DownloadManager?
  /// Additions to the requests to some hosts.
  package var hosts = HostRules()
  /// The options of the run. Only the sources of links and tokens are used.
  package var run = RunOptions()
  /// Whether to refuse a file that is not text by its first bytes, because the descriptor is a terminal.
  package var refusesBinary = false

  /// Creates tools without a manager.
  package init() {}
}

extension DownloadManager {
  /// Fetches a file and writes it to a descriptor. Its job is in no store of the user, so no state outlives the process.
  /// - Parameters:
  ///   - specification: The download; directory and name are ignored.
  ///   - descriptor: The output descriptor, blocking.
  ///   - tools: The manager, the hosts and the sources to use.
  ///   - progress: Receives the progress ten times a second.
  ///   - emit: Receives the events.
  /// - Returns: Whether all bytes were written. `false` if the reader of a pipe has gone, or if the task was cancelled;
  ///   `CancellationError` is not thrown.
  /// - Throws: The failure of the last attempt; kind `file` if the descriptor does not take the bytes.
  package static func fetch(
    _ specification: JobSpecification, toDescriptor descriptor: Int32, with tools: OutputTools = OutputTools(),
    progress: (@Sendable (ActiveJob) -> Void)? = nil,
    emit: @escaping @Sendable (JobEvent.Kind) -> Void
  ) async throws(Failure) -> Bool {
    do throws(Failure) {
      // The whole fetch reads and writes files.
      return try await withTaskExecutorPreference(BlockingExecutor("dray.output")) { () async throws(Failure) in
        let spool = try SpoolDirectory()
        defer { spool.remove() }
        let home = StateDirectory(path: PathText.join(spool.path, "state"))
        let queue = try openInMemoryBlocking(home, hosts: tools.hosts, knowing: tools.manager)
        let job = specification.spooled(in: PathText.join(spool.path, "file"))
        let inOrder = job.options.inOrder ?? false
        let ordered =
          inOrder || tools.refusesBinary
          ? InOrderOutput(descriptor, job, inOrder ? .writing : .looking, refusesBinary: tools.refusesBinary) : nil
        let end = try await InOrderOutput.run(ordered) { () async throws(Failure) in
          try await queue.end(of: job, tools.run.links, ordered?.front, progress, emit)
        }
        switch end {
        case .complete(_, let size, let digest, let note)?:
          if let ordered, try await !ordered.finish(size) { return false }
          if !inOrder, try await !write(job, size, to: descriptor) { return false }
          emit(.complete(path: "-", size: size, digest: digest, note: note.flatMap(JobNote.withoutStartOver)))
        case .completeWithoutFile(let note)?: emit(.completeWithoutFile(note: note))
        case .failed(let failure)?, .interrupted(let failure?)?: throw failure
        default: return false
        }
        return true
      }
    } catch {
      throw error.ofNoJob
    }
  }

  /// Runs a job of this manager, its only one.
  /// - Returns: The event that ends the job.
  private func end(
    of job: JobSpecification, _ links: LinkSource?, _ front: InOrderProgress?,
    _ progress: (@Sendable (ActiveJob) -> Void)?, _ emit: @escaping @Sendable (JobEvent.Kind) -> Void
  ) async throws(Failure) -> JobEvent.Kind? {
    let added = try await addAll([job], in: [], haveBodies: false)
    let end = Mutex<JobEvent.Kind?>(nil)
    var options = RunOptions()
    (options.name, options.syncs, options.failsFast, options.isTemporary) = (nil, false, true, true)
    (options.links, options.front) = (links, front)
    options.observer = { event in
      switch event.kind {
      case .redirected, .response, .restarted, .damaged, .mirrorDropped, .interfaceChanged, .connectionsLimited,
        .linkRenewed, .retrying:
        emit(event.kind)
      case .complete, .completeWithoutFile, .failed, .interrupted: end.withLock { $0 = event.kind }
      default: break
      }
    }
    let runner = try await makeRunner(.jobs(added.map(\.id)), options)
    let looks = progress.map { Looks(at: runner, $0) }
    do throws(Failure) { _ = try await runner.run() } catch {
      await looks?.stop()
      throw error
    }
    await looks?.stop()
    return end.withLock(\.self)
  }

  /// Writes a complete file.
  /// - Returns: `false` if the reader has left, or the task was cancelled.
  private static func write(
    _ job: JobSpecification, _ size: Int64, to descriptor: Int32
  ) async throws(Failure) -> Bool {
    let file = try job.openSpooled()
    let end = EndFlag()
    return try await withTaskCancellationHandler { () async -> Result<Bool, Failure> in
      do throws(Failure) { return .success(try OutputPipe(descriptor, until: end).copy(file, size)) } catch {
        return .failure(error)
      }
    } onCancel: {
      end.isSet = true
    }.get()
  }
}

extension JobSpecification {
  /// Opens the complete file of a job that waits for nothing.
  func openSpooled() throws(Failure) -> any StoredBytes {
    guard let file = try LocalDestinations(store: nil).find(place)?.openTarget(output ?? "") else {
      throw .moved(directory)
    }
    return file
  }

  /// Returns the job for a private directory, where it waits for nothing, and where only the request and its checks
  /// matter.
  fileprivate func spooled(in directory: String) -> JobSpecification {
    var job = JobSpecification(
      request: request, options: options, directory: directory, output: FileName.fromURLPath(request.url.path))
    (job.options.partStem, job.options.partDirectory, job.options.lateRules) = (nil, nil, nil)
    (job.options.hooks, job.options.recordsOrigin, job.options.onConflict) = (nil, nil, .fail)
    return job
  }
}

/// Reports the progress ten times a second.
private struct Looks {
  private let task: Task<Void, Never>

  init(at runner: Runner, _ progress: @escaping @Sendable (ActiveJob) -> Void) {
    task = Task {
      while !Task.isCancelled {
        if var active = await runner.snapshot().active.first {
          active.id = 0
          progress(active)
        }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Ends the reports; returns when the last one is finished.
  func stop() async {
    task.cancel()
    await task.value
  }
}
