// `dray lfs-agent`: fetches objects for git-lfs, which starts it.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import Posix
internal import Threads

struct LFSAgentCommand: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "lfs-agent",
    abstract: "Fetch objects for git-lfs, which starts this command.",
    discussion: """
      git-lfs starts over when a download is interrupted. With the settings below, dray fetches its objects instead: checked, \
      over several connections, and continued after any end, even kill -9. git-lfs talks to this command by standard input \
      and output; it is of no use at a terminal.

      The unfinished objects are in .git/lfs/dray, which has a queue of its own: `dray --store .git/lfs/dray list` shows it. \
      Accounts come from `git credential`, or over ssh. Objects are not sent: push with \
      `git -c lfs.standalonetransferagent= push`.

      EXAMPLES
        git config --global lfs.standalonetransferagent dray
        git config --global lfs.customtransfer.dray.path dray
        git config --global lfs.customtransfer.dray.args lfs-agent
        git config lfs.customtransfer.dray.args 'lfs-agent --limit-rate 2M'
        git lfs pull
      """, shouldDisplay: false)

  @OptionGroup(title: "Transfer options") var connections: ConnectionArguments
  @OptionGroup(title: "Transfer options") var transfer: TransferArguments

  func checkSettings(_ surroundings: Surroundings) throws { _ = try options() }

  private func options() throws(Failure) -> JobOptions {
    var job = JobSpecification.plain
    try connections.refuseProxy()
    for group in [connections, transfer] as [any ParsableArguments] { try TypedSettings.put(group, into: &job) }
    return job.options
  }

  func execute() async throws -> ExitStatus {
    let options = try options()
    let surroundings = try Surroundings.real()
    let output = ResultOutput.standard
    let agent = LFSAgent(
      directory: surroundings.currentDirectory, hosts: CommandContext.current.hosts, options: options,
      words: { $0.message },
      send: { line in
        output.write(line)
        output.flush()
      })
    let (lines, sink) = AsyncStream.makeStream(of: [[UInt8]].self)
    let stop = StopNumber()
    let signals = SignalWatch(restore: "") { request in
      switch request {
      case .end(let number):
        stop.set(number)
        sink.finish()
      case .suspend: SignalWatch.suspendProcess()
      }
    }
    BlockingExecutor("dray.lfs-agent").start { LFSAgentCommand.read(into: sink) }
    await agent.run(lines)
    withExtendedLifetime(signals) {}
    return stop.number.map { ExitStatus(rawValue: 128 + $0) ?? .other } ?? .success
  }

  /// Reads standard input to its end, or until a line is too long.
  private static func read(into sink: AsyncStream<[[UInt8]]>.Continuation) {
    var rest: [UInt8] = []
    while rest.count <= LFSMessage.longest, let bytes = try? System.readSome(0, limit: 64 << 10), !bytes.isEmpty {
      rest += bytes
      guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      sink.yield(rest[..<end].split(separator: UInt8(ascii: "\n")).map(Array.init))
      rest.removeSubrange(...end)
    }
    sink.finish()
  }
}
