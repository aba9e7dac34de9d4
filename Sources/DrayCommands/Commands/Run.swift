// `dray run`: transfer the queue.

internal import ArgumentParser
internal import DrayKit

struct Run: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Transfer the queue until nothing is left to do.",
    discussion: """
      Takes queued and interrupted jobs, the most urgent first; paused and failed ones are left alone. Several \
      runners may work at once: none transfers a job that another has.

      EXAMPLES
        dray run -j 8
        dray run --wait --max-overall-rate 2M
      """)

  @Flag(help: "Stay when nothing is left, and wait for more.")
  var wait = false

  @OptionGroup(title: "Run options") var run: RunArguments
  @OptionGroup(title: "Hook options") var hooks: HookArguments
  @OptionGroup(title: "Display options") var display: DisplayArguments

  func checkSettings(_ surroundings: Surroundings) throws {
    _ = try run.options()
    _ = try hooks.runHooks()
    _ = try Herald(display)
  }

  func execute() async throws -> ExitStatus {
    var options = try run.options(waits: wait)
    options.hooks = try hooks.runHooks()
    let style = SessionStyle(display)
    let herald = try Herald(display)
    // Without a store there is nothing to do; only who waits needs one.
    guard let manager = wait ? try Store.open() : try Store.openIfPresent() else { return .success }
    let runner = try manager.makeRunner(.all, options)
    return try await TransferSession(runner, style, warnsOfInsecureJobs: true, herald: herald).run()
  }
}
