// `dray --host HOST …`: finds the host in a command line, and makes the ssh command that runs the other words. The code
// in this file has no effects outside its values. If the host is a URL, it names a service instead
// (RemoteExecution.swift).

internal import DrayKit

/// Another machine. Either the dray that is installed there runs a command, or a service there carries it out.
struct RemoteHost: Equatable {
  /// The destination of ssh: `[USER@]HOST`, a name in ssh's configuration, or `ssh://[USER@]HOST[:PORT]`; or the URL of
  /// a service.
  let destination: String

  var isService: Bool { destination.hasPrefix("http://") || destination.hasPrefix("https://") }

  /// The environment variable with the program that connects to the other machine, and its options, similar to rsync's
  /// `RSYNC_RSH`.
  static let connectorVariable = "DRAY_SSH"
  /// The environment variable with the name or the path of dray on the other machine.
  static let programVariable = "DRAY_HOST_PROGRAM"

  /// The commands in which `--host` has another meaning. To run one of these on another machine, the option must come
  /// before the command.
  private static let others: Set<String> = ["cookies", "curl"]

  /// - Throws: Kind `usage` if the text is not a destination for ssh and not the URL of a service.
  init(_ text: String) throws(Failure) {
    guard !text.isEmpty else { throw RemoteHost.bad("no host is given: write --host HOST") }
    let name = TextSafety.escaped(text.start(80))
    // ssh would take the name for an option, which can run any command.
    guard !text.hasPrefix("-") else { throw RemoteHost.bad("\(name) begins with a dash") }
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      throw RemoteHost.bad("\(OptionValue.quote(text.start(80))) contains a blank or a control character")
    }
    destination = text
    // A text such as `host:6800` means a service, because ssh takes no port in this form.
    if !text.contains("://"), let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      text.firstIndex(of: ":") == colon || text[..<colon].hasSuffix("]")
    {
      throw RemoteHost.bad("for the service at port \(port) write http://\(name); for ssh ssh://\(name)")
    }
    guard !text.contains("://") || text.hasPrefix("ssh://") || isService else {
      throw RemoteHost.bad("\(name) is not a host: write --host [USER@]HOST, or the http:// URL of a service")
    }
  }

  private static func bad(_ reason: String) -> Failure { OptionValue.bad("--host", reason) }

  /// Removes `--host` from the words before `--`.
  /// - Returns: The host and the other words; `nil` if the command is for this machine.
  /// - Throws: Kind `usage` for an invalid host.
  static func take(from typed: [String]) throws(Failure) -> (host: RemoteHost, words: [String])? {
    var value: String?
    var words: [String] = []
    var command: String?
    var rest = typed[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += [word] + rest
        break
      }
      let isFree = command.map { !others.contains($0) } ?? true
      if isFree, word == "--host" {
        value = rest.popFirst() ?? ""
      } else if isFree, word.hasPrefix("--host=") {
        value = String(word.dropFirst("--host=".count))
      } else {
        words.append(word)
        if command == nil, !word.hasPrefix("-") { command = word }
        // The next word is a file or a store, even if it looks like an option.
        if ["--config", "--store", "--shared-dir"].contains(word), let value = rest.popFirst() { words.append(value) }
      }
    }
    guard let value else { return nil }
    return (try RemoteHost(value), words)
  }

  // MARK: The command

  /// Returns the program that connects to the other machine, and its arguments.
  /// - Parameters:
  ///   - words: The words for dray on the other machine.
  ///   - isInteractive: Whether standard input, output and error are terminals.
  /// - Throws: Kind `usage` if `DRAY_SSH` cannot be split into words.
  func command(
    _ words: [String], isInteractive: Bool, _ environment: [String: String]
  ) throws(Failure) -> [String] {
    // Otherwise ssh would print after each command that the connection was closed.
    let terminal =
      isInteractive
      ? ["-t", "-o", "LogLevel=ERROR"] : RemoteHost.readsInput(words) ? ["-T"] : ["-T", "-n"]
    let program = environment[RemoteHost.programVariable].flatMap { $0.isEmpty ? nil : $0 } ?? "dray"
    let connector = try RemoteHost.connector(environment)
    return connector + terminal + ["--", destination, RemoteHost.line([program] + words)]
  }

  private static func connector(_ environment: [String: String]) throws(Failure) -> [String] {
    guard let text = environment[connectorVariable], !text.isEmpty else { return ["ssh"] }
    do throws(CommandWordsError) { return try CommandWords.split(text, home: environment["HOME"]) } catch {
      throw OptionValue.bad(connectorVariable, error.message)
    }
  }

  /// Whether the command may read standard input. Any other command must not get it: in a loop that reads lines from
  /// standard input, ssh would read the remaining lines.
  static func readsInput(_ words: [String]) -> Bool {
    words.contains { $0.hasSuffix("-") || $0.hasPrefix("--password-s") || $0 == "import" }
  }

  /// Returns a line for the login shell of the other machine, which may be any shell that understands single quotes.
  ///
  /// A shell that ssh starts may not have read the file that adds directories to the search path.
  static func line(_ words: [String]) -> String { CommandWords.joined(["sh", "-c", script] + words) }

  private static let script = """
    PATH="$PATH:$HOME/.local/bin:/usr/local/bin"; export PATH; \
    command -v "$0" >/dev/null || { echo "dray: $0 is not installed on $(uname -n)" >&2; exit 1; }; \
    exec "$0" "$@"
    """
}
