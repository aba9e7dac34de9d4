// Runs one hook as a process: starts the process without a shell, writes its input, waits for its end, and terminates
// it after the time limit.

internal import FoundationEssentials
internal import Subprocess
internal import Synchronization
internal import SystemPackage

struct HookProcess: Sendable {
  private static let hidden = ChildProgram.secretVariables.reduce(into: [Environment.Key: String?]()) { all, name in
    if let key = Environment.Key(rawValue: name) { all.updateValue(nil, forKey: key) }
  }

  var words: [String]
  /// In addition to the environment of this process.
  var variables: [String: String]
  /// If missing, this process's directory is used.
  var directory: String
  var input: [UInt8]
  /// Seconds until the hook is terminated.
  var timeout: Double

  /// Bytes to report.
  private static let outputLimit = 8 << 10
  private static let outputLines = 20
  /// Seconds between SIGTERM and SIGKILL.
  private static let grace = 2.0

  /// Runs the hook to its end. If the task is cancelled or the time limit reached, the hook and its children are
  /// terminated.
  func run() async -> HookReport {
    let program = words[0]
    guard let source = HookFile(input) else {
      return HookReport(program: program, ending: .notStarted("a temporary file for its input cannot be created"))
    }
    defer { source.close() }
    guard let output = HookOutput(keeping: HookProcess.outputLimit) else {
      return HookReport(program: program, ending: .notStarted("a pipe for its output cannot be created"))
    }
    let (ending, group) = await run(program, source, output)
    if let group {
      if deadlineIsOver(ending) || Task.isCancelled {
        await HookGroups.endRest(of: group, grace: HookProcess.grace)
      }
      HookGroups.end(group)
    }
    return HookReport(program: program, ending: ending, output: lines(output.finish()))
  }

  private func deadlineIsOver(_ ending: HookReport.Ending) -> Bool {
    if case .timedOut = ending { true } else { false }
  }

  /// Also returns the hook's process group if it was started.
  private func run(
    _ program: String, _ source: HookFile, _ output: HookOutput
  ) async -> (HookReport.Ending, Int32?) {
    let teardown = [
      TeardownStep.send(
        signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(HookProcess.grace))
    ]
    let group = Mutex<Int32?>(nil)
    var platform = PlatformOptions()
    platform.processGroupID = 0
    platform.teardownSequence = teardown
    let isThere = FileManager.default.fileExists(atPath: directory)
    let environment = variables.reduce(into: [Environment.Key: String?]()) { all, one in
      if let key = Environment.Key(rawValue: one.key) { all[key] = one.value }
    }
    let deadline = HookDeadline()
    do {
      let result = try await Subprocess.run(
        program.contains("/") ? .path(FilePath(program)) : .name(program),
        arguments: Arguments(Array(words.dropFirst())),
        environment: .inherit.updating(environment.merging(HookProcess.hidden) { $1 }),
        workingDirectory: isThere ? FilePath(directory) : nil, platformOptions: platform,
        input: .fileDescriptor(source.descriptor, closeAfterSpawningProcess: false),
        output: .fileDescriptor(output.descriptor, closeAfterSpawningProcess: false), error: .combinedWithOutput
      ) { [timeout] execution in
        let number = execution.processIdentifier.value
        group.withLock { $0 = number }
        HookGroups.begin(number)
        deadline.start(after: timeout) { await execution.teardown(using: teardown) }
      }
      deadline.stop()
      return (ending(result.terminationStatus, deadline), group.withLock { $0 })
    } catch let error as SubprocessError {
      deadline.stop()
      return (.notStarted(HookProcess.reason(error)), group.withLock { $0 })
    } catch {
      deadline.stop()
      return (.notStarted("it could not be run: \(error)"), group.withLock { $0 })
    }
  }

  private func ending(_ status: TerminationStatus, _ deadline: HookDeadline) -> HookReport.Ending {
    if deadline.isOver { return .timedOut(timeout) }
    switch status {
    case .exited(let code): return .exited(code)
    case .signaled(let number): return .signalled(number)
    }
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.suffix(HookProcess.outputLines)
      .map { TextSafety.escaped(utf8: $0) }
  }

  private static func reason(_ error: SubprocessError) -> String {
    switch error.code {
    case .executableNotFound: "no such program"
    default: "it could not be started: \(error.underlyingError.map { "\($0)" } ?? error.description)"
    }
  }
}
