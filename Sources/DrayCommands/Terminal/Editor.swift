// Runs the user's editor on a file, with the terminal that the command has.

internal import DrayKit
internal import Posix
internal import TerminalUI

enum Editor {
  /// Runs an editor on a file and waits for its end. The editor is a line of shell, as git has it: it may have options.
  /// - Returns: its exit status, 128 and the signal where one ended it.
  static func run(_ editor: String, _ path: String) throws(Failure) -> Int32 {
    do throws(SystemError) {
      return try System.run("/bin/sh", ["/bin/sh", "-c", "\(editor) \"$1\"", "sh", path])
    } catch {
      throw Failure(
        .other, TextSafety.escaped(editor), "the editor cannot be run: \(error.text)",
        advice: "set EDITOR to another editor")
    }
  }

  /// Asks a question that is answered with yes by default; where there is no terminal, with no.
  static func asks(_ question: String) -> Bool {
    guard TerminalDevice.isTTY(0), TerminalDevice.isTTY(2) else { return false }
    try? System.write(question.utf8, to: 2)
    guard let answer = readLine() else { return false }
    return !answer.lowercased().hasPrefix("n")
  }
}
