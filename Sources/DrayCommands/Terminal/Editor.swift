// Runs the user's editor on a file, in the terminal of the command.

internal import DrayKit
internal import Posix
internal import TerminalUI

enum Editor {
  /// Runs an editor on a file, and waits for it. As in git, the editor is a shell command that may contain options.
  /// - Returns: The exit status of the editor, or 128 plus the number of the signal that ended it.
  static func run(_ editor: String, _ path: String) throws(Failure) -> Int32 {
    do throws(SystemError) {
      return try System.run("/bin/sh", ["/bin/sh", "-c", "\(editor) \"$1\"", "sh", path])
    } catch {
      throw Failure(
        .other, TextSafety.escaped(editor), "the editor cannot be run: \(error.text)",
        advice: "set EDITOR to another editor")
    }
  }

  /// Asks a question with the answers yes and no. An empty answer means yes; without a terminal, the answer is no.
  static func asks(_ question: String) -> Bool {
    guard TerminalDevice.isTTY(0), TerminalDevice.isTTY(2) else { return false }
    try? System.write(question.utf8, to: 2)
    guard let answer = readLine() else { return false }
    return !answer.lowercased().hasPrefix("n")
  }
}
