// Runs the user's editor on a file, with the terminal that the command has.

internal import DrayKit
internal import Posix
internal import TerminalUI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

enum Editor {
  /// Runs an editor on a file and waits for its end. The editor is a line of shell, as git has it: it may have options.
  /// - Returns: its exit status, 128 and the signal where one ended it.
  static func run(_ editor: String, _ path: String) throws(Failure) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What is ignored here would be ignored there.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      _ = signal(SIGINT, before.0)
      _ = signal(SIGQUIT, before.1)
    }
    let texts: [String] = ["/bin/sh", "-c", "\(editor) \"$1\"", "sh", path]
    var words: [UnsafeMutablePointer<CChar>?] = []
    for text in texts { words.append(strdup(text)) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, "/bin/sh", nil, &attributes, &words, environ)
    guard error == 0 else {
      throw Failure(
        .other, TextSafety.escaped(editor), "the editor cannot be run: \(SystemError("posix_spawn", error).text)",
        advice: "set EDITOR to another editor")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Asks a question that is answered with yes by default; where there is no terminal, with no.
  static func asks(_ question: String) -> Bool {
    guard TerminalDevice.isTTY(0), TerminalDevice.isTTY(2) else { return false }
    try? System.write(question.utf8, to: 2)
    guard let answer = readLine() else { return false }
    return !answer.lowercased().hasPrefix("n")
  }
}
