// `dray get -r`: fetches files while directories are still being read.

internal import DrayKit

enum TreeGet {
  /// Reads the directories, and transfers their files.
  static func run(
    _ input: TreeInput, _ options: RunOptions, _ style: SessionStyle, _ herald: Herald?
  ) async throws -> ExitStatus {
    if input.isInsecure { Messages.print(InsecureWarning.text) }
    for line in input.remarks { Messages.print(line) }
    let manager = try Store.open()
    let runner = try await manager.makeRunner(.growing([]), options)
    let session = TransferSession(
      runner, style, warnsOfInsecureJobs: false, herald: herald, assumedOrigins: input.assumedOrigins,
      reportsUnchanged: false)
    let queue = TreeQueue(input, manager, style) {
      await session.say($0)
    } take: {
      try await runner.add($0, isLast: false)
    }
    // After a signal, nobody waits for this task, because a server may take long to list a directory.
    let walk = Task {
      do {
        try await queue.walk()
        try await runner.add([], isLast: true)
      } catch {
        runner.stop()
        throw error
      }
    }
    let status = try await session.run()
    let isCut = await session.summary?.reachedMaxTransfer ?? false
    guard !status.isStop, !isCut else {
      walk.cancel()
      return status
    }
    try await walk.value
    return ExitStatus.combined(await queue.statuses.union([status]))
  }
}
