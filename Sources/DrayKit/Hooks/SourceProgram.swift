// A program of the owner that turns names into files: `[source.NAME]` in the configuration. It runs without a shell,
// with few variables, a time limit and a bounded output.

internal import DrayCore
internal import Posix

/// A program that finds the files of the names with one scheme.
///
/// Only the owner's configuration defines such programs. No job, list, document, client or server can.
package struct SourceProgram: Sendable, Equatable {
  /// The scheme of its names, in lowercase.
  package var scheme: String
  /// The program, which is looked up in `PATH` unless it contains a slash, and its arguments; never empty.
  package var command: [String]
  /// The seconds after which the program is terminated with its children.
  package var timeout: Double = 60
  /// The names of the variables that the program gets besides the usual ones.
  package var environment: [String] = []

  /// Creates a program with the usual limits.
  package init(scheme: String, command: [String]) { (self.scheme, self.command) = (scheme, command) }

  /// The name of the program's file.
  package var name: String { PathText.name(of: command.first ?? "") }

  /// In bytes.
  static let outputLimit = 32 << 20
  private static let remarkLimit = 8 << 10
  private static let remarkLines = 20

  /// The result of running the program.
  struct Run: Sendable, Equatable {
    var ending: HookReport.Ending
    /// The standard output.
    var output: [UInt8] = []
    /// Whether the program was terminated because it wrote too much.
    var isCut = false
    /// The last lines of the standard error, printable and without secrets of URLs.
    var remarks: [String] = []
  }

  /// Runs the program to its end. It is terminated if the task is cancelled.
  /// - Parameters:
  ///   - input: The whole standard input.
  ///   - environment: All variables of this process.
  func run(_ input: [UInt8], environment: [String: String]) async -> Run {
    await SourceTurns.shared.take()
    let run = await runNow(input, environment)
    await SourceTurns.shared.give()
    return run
  }

  private func runNow(_ input: [UInt8], _ environment: [String: String]) async -> Run {
    guard !Task.isCancelled else { return Run(ending: .notStarted("it was no longer wanted")) }
    guard let program = command.first else { return Run(ending: .notStarted("no program is named")) }
    guard let source = HookFile(input) else {
      return Run(ending: .notStarted("a temporary file for its input cannot be created"))
    }
    defer { source.close() }
    guard let output = HookOutput(keeping: SourceProgram.outputLimit, of: .beginning) else {
      return Run(ending: .notStarted("a pipe for its output cannot be created"))
    }
    guard let errors = HookOutput(keeping: SourceProgram.remarkLimit) else {
      _ = output.finish()
      return Run(ending: .notStarted("a pipe for its messages cannot be created"))
    }
    var start = ChildStart(command, path: program.contains("/") ? program : nil)
    (start.inheritsEnvironment, start.variables) = (false, variables(of: environment))
    (start.input, start.output, start.error) = (source.descriptor, output.descriptor, errors.descriptor)
    // The working directory may be one that others can write to.
    (start.directory, start.group) = ("/", .own)
    let ending = await HookGroups.run(start, within: timeout, cutting: output)
    let remarks = errors.finishedLines(SourceProgram.remarkLines).map { URLRedaction.redactingURLs(in: $0) }
    let bytes = output.finish()
    return Run(ending: ending, output: bytes, isCut: output.isCut, remarks: remarks)
  }
}

extension SourceProgram {
  /// The variables that every program gets: where programs and files are, the language, and how to reach servers.
  static let usualVariables: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
    "XDG_DATA_HOME", "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
    "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
  ]

  /// Returns the variables of this process that the program gets.
  func variables(of all: [String: String]) -> [String: String] {
    let listed = Set(environment)
    return all.filter { name, _ in
      SourceProgram.usualVariables.contains(name) || name.hasPrefix("LC_") || listed.contains(name)
    }
  }

  /// Returns the reason why a program cannot get a variable; `nil` if it can.
  package static func objection(toVariable name: String) -> String? {
    let isName = name.unicodeScalars.allSatisfy { $0 == "_" || $0.isLetter || $0.isDigit }
    guard isName, let first = name.unicodeScalars.first, !first.isDigit else {
      return "it is not the name of a variable"
    }
    return name.hasPrefix("DRAY_") ? "dray keeps its own variables to itself: use another name" : nil
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

/// Lets a few programs of sources run at once: the links of many jobs may expire together.
private actor SourceTurns {
  static let shared = SourceTurns()

  private var free = 4
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func give() {
    // Hand the turn straight on, so that newcomers cannot overtake.
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
