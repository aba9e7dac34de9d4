// `dray wait`: waits until jobs have ended.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Wait: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until jobs have ended, and exit with their status.",
    discussion: """
      A job has ended when it is complete, has failed, was removed or paused, or was interrupted and no runner continues \
      it. The exit status is that of `dray get` for the same jobs. The transfer is done by another process.

      EXAMPLES
        id=$(dray add https://example.org/big.iso) && dray wait "$id" && echo whole
        dray wait --all --timeout 2h
      """)

  @Argument(
    help: ArgumentHelp("The jobs, by their ids; g3 is all of a group.", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Flag(help: "All jobs that are queued or active now.")
  var all = false

  @Option(help: ArgumentHelp("Give up after this time, with exit status 1.", valueName: "time"))
  var timeout: String?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func checkSettings(_ surroundings: Surroundings) throws {
    _ = try limit()
  }

  func execute() async throws -> ExitStatus {
    let limit = try limit()
    guard ids.isEmpty || !all else { throw OptionValue.bad("--all", "give either ids or --all") }
    guard !ids.isEmpty || all else {
      throw OptionValue.bad("no job is given", "name jobs by their ids, or write --all")
    }
    let manager = try await Store.look()
    let named = try await JobIDs.expand(ids, manager)
    guard let manager else { return .success }
    let jobs = all ? try await manager.jobs.ids(states: [.queued, .active]) : named
    return try await WaitSession(manager, jobs, quiet: quiet).run(timeout: limit)
  }

  private func limit() throws(Failure) -> Double? {
    try timeout.map { (text) throws(Failure) in try OptionValue.seconds(text, "--timeout") }
  }
}
