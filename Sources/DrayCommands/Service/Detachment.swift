// Processes in the background: `dray serve --detach` starts a second process with the same command in a new session. The
// first process waits until the second one listens or has failed.

internal import DrayKit
internal import DrayStore
internal import Posix
internal import TerminalUI

enum Detachment {
  private static let variable = "DRAY_SERVE_DETACHED"
  /// The byte that the second process writes to standard error when it is ready. No message contains this byte.
  private static let ready: UInt8 = 0

  /// Whether this process is the second one, which `--detach` started.
  static var isDetached: Bool { ProcessVariables.all[variable] != nil }

  /// Starts the second process.
  /// - Returns: The exit status of the second process if it failed; otherwise success.
  static func start(_ home: StateDirectory) throws(Failure) -> ExitStatus {
    let said = try start(Array(System.arguments.dropFirst()), named: "dray serve")
    try? System.write(Array(said.text.utf8), to: 2)
    guard said.isReady else { return ExitStatus(rawValue: System.wait(for: said.process)) ?? .other }
    if case .running(let record) = ServiceLock.look(home) {
      ResultOutput.standard.write(ServiceReport.lines(record).map { $0 + "\n" }.joined())
    }
    return .success
  }

  /// The output of a background process until it was ready or failed.
  struct Beginning {
    var process: Int32
    var isReady: Bool
    var text: String
  }

  /// Starts this program in the background, and waits until it calls ``report()`` or ends.
  /// - Parameters:
  ///   - words: Its command line.
  ///   - name: The command, for failures.
  static func start(_ words: [String], named name: String) throws(Failure) -> Beginning {
    guard let program = System.programPath else {
      throw Failure(
        .other, name, "the system does not say which program this is",
        advice: "start it without --detach, and in the background by other means")
    }
    do throws(SystemError) {
      let arguments = System.arguments.prefix(1) + words
      let (process, errors) = try System.startDetached(program, Array(arguments), variable: (variable, "1"))
      var said = (try? System.read(errors, limit: 1 << 20)) ?? []
      System.close(errors)
      let isReady = said.last == ready
      if isReady { said.removeLast() }
      return Beginning(process: process, isReady: isReady, text: String(decoding: said, as: UTF8.self))
    } catch {
      throw Failure(.other, name, "it cannot be started: \(error.text)")
    }
  }

  /// Reports that this process is ready. Then it detaches from the waiting process, and leaves the directory in which it
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
