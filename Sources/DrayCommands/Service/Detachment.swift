// `dray serve --detach`: runs the same command in a new session. This process waits until the new one listens or has
// failed.

internal import DrayKit
internal import DrayStore
internal import Posix
internal import TerminalUI

enum Detachment {
  private static let variable = "DRAY_SERVE_DETACHED"
  /// The byte that the other process writes to standard error when it listens. No message contains it.
  private static let ready: UInt8 = 0

  /// Whether this process was started by `--detach`.
  static var isDetached: Bool { ProcessVariables.all[variable] != nil }

  /// Starts the other process.
  /// - Returns: The other process's exit status, if that process has failed.
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

  /// Reports that this process listens, and detaches from the waiting process and from the directory where it was
  /// started, whose file system could not be unmounted. Paths that are needed later are absolute.
  static func report() {
    guard isDetached else { return }
    System.leaveDirectory()
    SteadyOutput.standardError.release()
    try? System.write([ready], to: 2)
    System.leaveStandardError()
    System.unsetVariables([variable])
  }
}
