// Carries out `dray get`, from the parsed command line to the exit status.

internal import DrayKit
internal import Posix

final class GetRun {
  private let get: Get
  private let endAction: EndAction?
  private let surroundings: Surroundings
  private let options: RunOptions
  private let style: SessionStyle
  private let herald: Herald
  private let shape: RequestShape

  init(_ get: Get) throws {
    self.get = get
    endAction = try get.run.endAction()
    surroundings = try Surroundings.real()
    options = try get.runOptions()
    style = SessionStyle(get.display, printsPaths: true).sparingPipe(!get.display.printPath && System.isPipe(1))
    herald = try Herald(get.display, showsFolder: DesktopNoticeCommand.start)
    shape = try RequestShape(get.body, surroundings, readsListFromInput: get.job.inputFile == "-")
  }

  func run() async throws -> ExitStatus {
    try refuseContradictions()
    let status =
      if get.tree.recursive {
        try await fetchTrees()
      } else if get.head {
        try await HeadPrinter.run(try get.headList(shape, surroundings))
      } else if let output = OutputDescriptor.of(get.job.outputs, dir: get.job.dir, base: surroundings.currentDirectory)
      {
        try await StandardOutputGet.run(output, get.job, get.request, shape, surroundings, style)
      } else {
        try await fetchFiles()
      }
    if !get.head { await endAction?.carryOut(after: status) }
    return status
  }

  /// Queues the files, and transfers them. While the first files are fetched, the rest of a long list is queued.
  private func fetchFiles() async throws -> ExitStatus {
    let list = try await gatherFiles()
    var style = style
    style.hiddenDirectories = Set(list.snapshots.map(\.blobs))
    let status = list.isEmpty ? .success : try await fetch(list, style)
    if status == .success { report(list.snapshots) }
    return status
  }

  /// Reports once where the files of each name are, as the official client of Hugging Face does.
  private func report(_ snapshots: [CacheSnapshot]) {
    let output = ResultOutput.standard
    for snapshot in snapshots {
      if style.printsPaths {
        output.write(snapshot.path + "\n")
      } else if !style.quiet, style.progress != .json {
        Messages.print("saved in \(snapshot.path)")
      }
    }
    output.flush()
  }

  private func fetch(_ list: SpecificationList, _ style: SessionStyle) async throws -> ExitStatus {
    var list = list
    let manager = try await Store.patiently(Store.open)
    try await NewLinks(manager: manager, style: style, isWanted: get.link.newLink).give(&list)
    let body = try await shape.spool(for: &list) { (source) throws(Failure) in try await manager.spool(source) }
    // If the reader of the events does not read, that must not delay the first transfer either.
    LiveOutput.begin()
    defer { LiveOutput.end() }
    let queue = try await GetQueue(list, manager, style)
    let first = try await queue.admitNext()
    // The temporary file of the body must exist until the first jobs are queued.
    withExtendedLifetime(body) {}
    guard queue.hasMore || !first.isEmpty else { return .success }
    let runner = try await manager.makeRunner(queue.hasMore ? .growing(first) : .jobs(first), options)
    try await get.run.reportLimit(manager, options, quiet: style.quiet)
    let session = TransferSession(
      runner, style, warnsOfInsecureJobs: false, herald: herald, assumedOrigins: list.assumedOrigins)
    async let status = session.run()
    do { try await queue.admitRest(to: runner) } catch {
      runner.stop()
      _ = try? await status
      throw error
    }
    return try await status
  }

  /// Walks directories, and transfers their files as they are found.
  private func fetchTrees() async throws -> ExitStatus {
    let place = try await get.job.inQueueDirectory()
    return try await TreeGet.run(
      try TreeInput(get.tree, place, get.request, shape, surroundings), options, style, herald)
  }

  private func gatherFiles() async throws -> SpecificationList {
    let filter = try get.tree.filterOfNames()
    var list = try await SignalWatch.endingPrograms {
      try await Operands.gather(get.job, get.request, surroundings, shape, filter: filter, isQuiet: style.quiet)
    }
    list.markOneOff()
    if list.isInsecure { Messages.print(InsecureWarning.text) }
    if !style.quiet { for line in list.remarks { Messages.print(line) } }
    if !list.paused.isEmpty {
      Messages.print("pause=: `dray get` fetches now; `dray add -i` queues a job that is paused")
    }
    return list
  }

  private func refuseContradictions() throws {
    let (isTree, head) = (get.tree.recursive, get.head)
    try get.tree.checkAlone(get.job)
    guard !get.link.newLink || !isTree && !head else {
      throw OptionValue.bad("--new-link", "it is for single files: omit it, or \(head ? "--head" : "-r")")
    }
    guard !isTree || !head else { throw OptionValue.bad("--head", "it is for one URL: omit it, or -r") }
  }
}
