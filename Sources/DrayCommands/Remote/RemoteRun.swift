// Runs a command line on another machine, and returns the exit status that it had there.

internal import DrayKit
internal import Posix
internal import TerminalUI

enum RemoteRun {
  /// The exit status with which ssh reports an error of its own.
  private static let lost: Int32 = 255

  /// Runs the words on the other machine. The command there uses the standard input, output and error of this process.
  /// - Throws: Kind `network` if there is no connection, or if it was lost. ssh itself has printed the reason.
  static func run(_ host: RemoteHost, _ words: [String]) throws(Failure) -> ExitStatus {
    let environment = ProcessVariables.all
    let isInteractive = (0...2).allSatisfy { TerminalDevice.isTTY($0) }
    let command = try host.command(words, isInteractive: isInteractive, environment)
    guard let program = command.first, let path = ProgramPath.find(program, environment) else {
      throw Failure(
        .other, "--host", "\(TextSafety.escaped(command.first ?? "ssh")) was not found",
        advice: "install the client of OpenSSH, or set \(RemoteHost.connectorVariable)")
    }
    let status: Int32
    do throws(SystemError) { status = try System.run(path, command, endingWithThis: true) } catch {
      throw Failure(.other, path, "it cannot be started: \(error.text)")
    }
    guard status != lost else {
      let name = TextSafety.escaped(host.destination)
      throw Failure(
        .network, "--host \(name)", "no connection, or it was lost", advice: "check that `ssh \(name)` works")
    }
    return ExitStatus(rawValue: status) ?? .other
  }
}
