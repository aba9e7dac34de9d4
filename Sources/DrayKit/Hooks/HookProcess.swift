// Runs a hook as a process, without a shell: starts it, writes its input, waits for its end, and terminates it after
// the time limit.

internal import Posix
internal import Threads

struct HookProcess: Sendable {
  var words: [String]
  /// The variables that are added to the environment of this process.
  var variables: [String: String]
  /// The directory in which the hook runs. If the directory is missing, the hook runs in that of this process.
  var directory: String
  var input: [UInt8]
  /// The seconds after which the hook is terminated.
  var timeout: Double

  /// The number of bytes of the output to report.
  private static let outputLimit = 8 << 10
  private static let outputLines = 20

  /// Runs the hook to its end. If the task is cancelled or the time is up, the hook and its children are terminated.
  func run() async -> HookReport {
    let program = words[0]
    guard let source = HookFile(input) else {
      return HookReport(program: program, ending: .notStarted("a temporary file for its input cannot be created"))
    }
    defer { source.close() }
    guard let output = HookOutput(keeping: HookProcess.outputLimit) else {
      return HookReport(program: program, ending: .notStarted("a pipe for its output cannot be created"))
    }
    var start = ChildStart(words, path: program.contains("/") ? program : nil)
    (start.variables, start.hidden, start.group) = (variables, ChildProgram.secretVariables, .own)
    (start.input, start.output, start.error) = (source.descriptor, output.descriptor, output.descriptor)
    if System.kind(directory) == .directory { start.directory = directory }
    let ending = await HookGroups.run(start, within: timeout)
    return HookReport(program: program, ending: ending, output: output.finishedLines(HookProcess.outputLines))
  }
}

extension HookGroups {
  /// Runs a program as the first process of its own group, to its end. If the task is cancelled or the time is up, the
  /// program and its children are terminated.
  /// - Parameter output: An output whose excess also terminates them.
  static func run(_ start: ChildStart, within seconds: Double, cutting output: HookOutput? = nil) async
    -> HookReport.Ending
  {
    let group: Int32
    do throws(SystemError) { group = try System.start(start) } catch {
      return .notStarted(
        error.code == SystemError.noEntry ? "no such program" : "it could not be started: \(error.text)")
    }
    begin(group)
    output?.whenCut { askToEnd(group) }
    let deadline = HookDeadline()
    deadline.start(after: seconds) { askToEnd(group) }
    let end = await withTaskCancellationHandler {
      await BlockingExecutor("dray.hook").attemptRun { () throws(Failure) in System.end(of: group) }
    } onCancel: {
      askToEnd(group)
    }
    deadline.stop()
    if deadline.isOver || output?.isCut == true || Task.isCancelled { await endRest(of: group) }
    HookGroups.end(group)
    if deadline.isOver { return .timedOut(seconds) }
    return switch end {
    case .success(.exited(let code)): .exited(code)
    case .success(.signalled(let number)): .signalled(number)
    case .failure(let failure): .notStarted(failure.reason)
    }
  }
}
