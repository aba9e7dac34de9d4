// `dray queue`: shows named queues, their limits and their state.

internal import ArgumentParser
internal import DrayKit
internal import DrayWire
internal import TerminalUI
internal import Threads

struct Queue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Show named queues, limit, pause and resume them.",
    discussion: """
      A job belongs to the queue that --queue names, of `get`, `add`, `set` and others. A queue may have a number of jobs at \
      once, a rate, times, a quota and a directory of its own; what holds for all jobs holds for its jobs, too.

      EXAMPLES
        dray queue set films --jobs 1 --rate 2M --quota 10G/day --directory films
        dray queue set nightly --between 01:00-07:00
        dray add --queue films https://example.org/big.iso
        dray queue list
        dray queue pause films
        dray queue resume films
      """,
    subcommands: [QueueList.self, QueueSet.self, QueuePause.self, QueueResume.self, QueueRemove.self],
    defaultSubcommand: QueueList.self)
}

struct QueueList: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the named queues.",
    discussion: """
      ACTIVE and WAITING count their jobs, JOBS is how many may be active at once, and QUOTA how much of it the present period \
      has used. A queue whose quota is used up is spent until the next period begins; outside its times it is closed.
      """)

  @Argument(help: ArgumentHelp("Only these queues.", valueName: "name"), completion: .custom(QueueNames.complete))
  var names: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let manager = try await Store.look()
    let all = try await manager?.namedQueues() ?? []
    for name in names where !all.contains(where: { $0.name == name }) { throw QueueNames.unknown(name) }
    let queues = names.isEmpty ? all : all.filter { names.contains($0.name) }
    if json {
      var text = JSONText()
      text.beginArray()
      for queue in queues { text.object { queue.writeFields(to: &$0) } }
      text.endArray()
      text.endLine()
      ResultOutput.standard.write(text)
      return .success
    }
    guard !queues.isEmpty else {
      Messages.print("no named queues; `dray queue set NAME` makes one")
      return .success
    }
    let isTTY = TerminalDevice.isTTY(1)
    let profile = TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all)
    QueueText.write(
      queues, now: WallClock.now(), width: isTTY ? TerminalDevice.size(1).columns : nil, profile: profile
    ) { ResultOutput.standard.write($0) }
    return .success
  }
}
