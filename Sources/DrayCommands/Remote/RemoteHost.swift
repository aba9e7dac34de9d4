// `dray --host HOST …`: finds the host in a command line, and makes the ssh command for the other words. Pure. A URL
// names a service instead (RemoteExecution.swift).

internal import DrayKit

/// Another machine, whose own dray runs a command, or whose service carries it out.
struct RemoteHost: Equatable {
  /// The destination for ssh: `[USER@]HOST`, a name of its configuration, or `ssh://[USER@]HOST[:PORT]`; or the URL of a
  /// service.
  let destination: String

  var isService: Bool { destination.hasPrefix("http://") || destination.hasPrefix("https://") }

  /// The variable for the program that connects, with its options, as `RSYNC_RSH` is for rsync.
  static let connectorVariable = "DRAY_SSH"
  /// The variable for the name or the path of dray on the other machine.
  static let programVariable = "DRAY_HOST_PROGRAM"

  /// Commands in which `--host` has another meaning. With these commands, the option must come before the command.
  private static let others: Set<String> = ["cookies", "curl"]

  /// - Throws: Kind `usage` if neither ssh nor a client of HTTP can take the text as a destination.
  init(_ text: String) throws(Failure) {
    guard !text.isEmpty else { throw RemoteHost.bad("no host is given: write --host HOST") }
    let name = TextSafety.escaped(text.start(80))
    // ssh would read the name as an option, which may run any command.
    guard !text.hasPrefix("-") else { throw RemoteHost.bad("\(name) begins with a dash") }
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      throw RemoteHost.bad("\(OptionValue.quote(text.start(80))) contains a blank or a control character")
    }
    destination = text
    // A port behind a colon is a service's: ssh takes none this way.
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

  /// Removes `--host` from a command line, up to `--`.
  /// - Returns: The host and the other words; `nil` for a command of this machine.
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

  /// Returns the program that connects, and its arguments.
  /// - Parameters:
  ///   - words: The words for the other machine's dray.
  ///   - isInteractive: Whether standard input, output and error are terminals.
  /// - Throws: Kind `usage` if `DRAY_SSH` cannot be split into words.
  func command(
    _ words: [String], isInteractive: Bool, _ environment: [String: String]
  ) throws(Failure) -> [String] {
    // ssh's remark that the connection was closed would follow each command.
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

  /// Whether the command may read standard input. Other commands must not get it: in a loop that reads a list, ssh
  /// would read the rest of the list.
  static func readsInput(_ words: [String]) -> Bool {
    words.contains { $0.hasSuffix("-") || $0.hasPrefix("--password-s") || $0 == "import" }
  }

  /// Returns a line for the login shell of the other machine, which may be any shell that knows single quotes.
  ///
  /// A shell that ssh starts may not have read the file that adds directories to the search path.
  static func line(_ words: [String]) -> String { CommandWords.joined(["sh", "-c", script] + words) }

  private static let script = """
    PATH="$PATH:$HOME/.local/bin:/usr/local/bin"; export PATH; \
    command -v "$0" >/dev/null || { echo "dray: $0 is not installed on $(uname -n)" >&2; exit 1; }; \
    exec "$0" "$@"
    """
}
