// `dray move`: changes the order of the queue.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Move: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move waiting jobs to another place in the queue.",
    discussion: """
      A job takes the priority of its new neighbour. Several jobs are placed in the \
      order given. `dray list --sort queue` shows the queue.

      EXAMPLES
        dray move 7 --first
        dray move 3 4 --after 9
      """)

  @Argument(
    help: ArgumentHelp("The jobs, by their ids; g3 is those of a group.", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String]

  @Flag(help: "Before all waiting jobs.")
  var first = false

  @Flag(help: "After all waiting jobs.")
  var last = false

  @Option(help: ArgumentHelp("Just before this job.", valueName: "id"), completion: .custom(JobIDs.complete))
  var before: String?

  @Option(help: ArgumentHelp("Just after this job.", valueName: "id"), completion: .custom(JobIDs.complete))
  var after: String?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let place = try QueuePlace(
      first: first, last: last, before: before.map { [$0] } ?? [], after: after.map { [$0] } ?? [])
    let manager = try await Store.look()
    let numbers = try await JobIDs.expand(ids, manager, states: [.queued, .paused, .interrupted])
    guard let manager else { return .success }
    try await manager.move(numbers, to: place)
    if !quiet { for id in numbers { Messages.print("[\(id)] moved") } }
    return .success
  }
}
