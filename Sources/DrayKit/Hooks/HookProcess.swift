// One hook as a process: started without a shell, fed, waited for, ended when its time is over.

internal import Foundation
internal import Subprocess
internal import SystemPackage

/// A hook that is about to run.
struct HookProcess: Sendable {
  /// Variables with dray's own secrets: a hook has no use for them.
  private static let hidden: [Environment.Key: String?] = [
    "DRAY_PASSWORD": nil, "DRAY_OAUTH2_BEARER": nil, "DRAY_KEY_PASSWORD": nil, "DRAY_PROXY_PASSWORD": nil,
    "DRAY_PASS": nil, "DRAY_USER": nil, "DRAY_PROXY_USER": nil, "DRAY_COOKIE": nil,
  ]

  /// The program and its arguments.
  var words: [String]
  /// What its environment has beside that of this process.
  var variables: [String: String]
  /// Where it runs; this process's directory where that is gone.
  var directory: String
  /// What it reads on its standard input.
  var input: [UInt8]
  /// Seconds until it is ended.
  var timeout: Double

  /// Bytes of its output that are told.
  private static let outputLimit = 8 << 10
  private static let outputLines = 20
  /// Between SIGTERM and SIGKILL.
  private static let grace = Duration.seconds(2)

  /// Runs it to its end. It is ended early where the task is cancelled.
  func run() async -> HookReport {
    let program = words[0]
    guard let output = HookFile(), let source = HookFile(input) else {
      return HookReport(
        program: program, ending: .notStarted("there is no temporary file for what it reads and writes"))
    }
    defer {
      output.close()
      source.close()
    }
    let teardown = [TeardownStep.send(signal: .terminate, allowedDurationToNextStep: HookProcess.grace)]
    var platform = PlatformOptions()
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
        deadline.start(after: timeout) { await execution.teardown(using: teardown) }
      }
      deadline.stop()
      return HookReport(
        program: program, ending: ending(result.terminationStatus, deadline),
        output: lines(output.read(HookProcess.outputLimit)))
    } catch let error as SubprocessError {
      deadline.stop()
      return HookReport(program: program, ending: .notStarted(HookProcess.reason(error)))
    } catch {
      deadline.stop()
      return HookReport(program: program, ending: .notStarted("it could not be run: \(error)"))
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
    case .executableNotFound: "there is no such program"
    default: "it could not be started: \(error.underlyingError.map { "\($0)" } ?? error.description)"
    }
  }
}
