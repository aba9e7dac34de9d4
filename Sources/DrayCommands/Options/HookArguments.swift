// The options for hooks and notifications.

internal import ArgumentParser
internal import DrayKit
internal import DrayWire
internal import Posix

struct HookArguments: ParsableArguments, Sendable {
  @Option(setting: "on-complete") var onComplete: String?
  @Option(setting: "on-error") var onError: String?

  @Flag(help: "Run the commands of --on-complete and --on-error with a shell.")
  var hookShell = false

  @Option(help: ArgumentHelp("Stop a command that takes longer (default: 10 min).", valueName: "time"))
  var hookTimeout: String?

  /// Returns the commands that the options name.
  /// - Throws: Kind `usage` with the name of the option.
  func hooks() throws(Failure) -> Hooks {
    var hooks = Hooks()
    hooks.onComplete = try words(onComplete, "--on-complete")
    hooks.onError = try words(onError, "--on-error")
    return hooks
  }

  /// Returns the commands that were typed or set in the environment. These become part of the job. The commands in the
  /// configuration belong to the run instead.
  func jobHooks(configured: Set<String> = CommandContext.current.configured) throws(Failure) -> Hooks? {
    var hooks = try hooks()
    if configured.contains("on-complete") { hooks.onComplete = nil }
    if configured.contains("on-error") { hooks.onError = nil }
    return hooks == Hooks() ? nil : hooks
  }

  /// Returns the commands that a run executes when one of its jobs ends.
  func runHooks() throws(Failure) -> RunHooks {
    var run = RunHooks()
    run.commands = try hooks()
    if let text = hookTimeout { run.timeout = try OptionValue.seconds(text, "--hook-timeout", mayBeZero: false) }
    run.describe = { job in JobFacts(job, live: nil, names: .commandLine, isFile: System.isFile).line.bytes }
    return run
  }

  private func words(_ text: String?, _ option: String) throws(Failure) -> [String]? {
    // An empty text cancels the command in the configuration.
    guard let text, !text.isEmpty else { return nil }
    if hookShell { return ["/bin/sh", "-c", text] }
    do throws(CommandWordsError) {
      return try CommandWords.split(text, home: ProcessVariables.all["HOME"])
    } catch {
      throw OptionValue.bad(option, error.message + (error.needsShell ? ", or use --hook-shell" : ""))
    }
  }
}
