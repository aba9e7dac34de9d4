// `dray serve --detach`: starts a second process with the same command in a new session. The first process waits until
// the second one listens or has failed.

internal import DrayKit
internal import DrayStore
internal import Posix
internal import TerminalUI

enum Detachment {
  private static let variable = "DRAY_SERVE_DETACHED"
  /// The byte that the second process writes to standard error when it listens. No message contains this byte.
  private static let ready: UInt8 = 0

  /// Whether this process is the second one, which `--detach` started.
  static var isDetached: Bool { ProcessVariables.all[variable] != nil }

  /// Starts the second process.
  /// - Returns: The exit status of the second process if it failed; otherwise success.
  static func start(_ home: StateDirectory) throws(Failure) -> ExitStatus {
    guard let program = System.programPath else {
      throw Failure(
        .other, "dray serve", "the system does not say which program this is",
        advice: "start it without --detach, and in the background by other means")
    }
    let child: Int32
    var said: [UInt8]
    do throws(SystemError) {
      let (process, errors) = try System.startDetached(program, System.arguments, variable: (variable, "1"))
      child = process
      said = (try? System.read(errors, limit: 1 << 20)) ?? []
      System.close(errors)
    } catch {
      throw Failure(.other, "dray serve", "it cannot be started: \(error.text)")
    }
    guard said.last == ready else {
      try? System.write(said, to: 2)
      return ExitStatus(rawValue: System.wait(for: child)) ?? .other
    }
    said.removeLast()
    try? System.write(said, to: 2)
    if case .running(let record) = ServiceLock.look(home) {
      ResultOutput.standard.write(ServiceReport.lines(record).map { $0 + "\n" }.joined())
    }
    return .success
  }

  /// Reports that this process listens. Then it detaches from the waiting process, and leaves the directory in which it
  /// was started, because otherwise that directory's file system could not be unmounted. All paths that are needed
  /// later are absolute.
  static func report() {
    guard isDetached else { return }
    System.leaveDirectory()
    SteadyOutput.standardError.release()
    try? System.write([ready], to: 2)
    System.leaveStandardError()
    System.unsetVariables([variable])
  }
}
