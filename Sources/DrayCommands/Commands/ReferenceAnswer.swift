// Answers before anything is parsed: `dray help`, and requests of a shell's completion.

internal import ArgumentParser
internal import DrayKit

enum ReferenceAnswer {
  /// Answers requests for help and completions; `nil` for other command lines. Reads no configuration and creates no
  /// store.
  /// - Parameter usage: The texts for errors. Created only if needed, because that reads all commands.
  static func run(_ arguments: [String], _ usage: @autoclosure () -> UsageText) -> ExitStatus? {
    let output = ResultOutput.standard
    var status = ExitStatus.success
    switch arguments.first {
    case "help":
      if let unknown = usage().unknownCommand(Array(arguments.dropFirst())) {
        Messages.print(unknown)
        return .usage
      }
      do throws(Failure) { output.write(try help(arguments)) } catch {
        Messages.print(error)
        status = error.exitStatus
      }
    case let word? where arguments.count == 1 && versionWords.contains(word): output.write(VersionText.text + "\n")
    case CompletionScript.request:
      // Never report an error into the line that is being typed.
      if let root = try? CommandReference.read(DrayRoot.self) {
        let answer = CompletionAnswer(root: root) { custom($0) }
        output.write(answer.text(Array(arguments.dropFirst())))
      }
    case "--generate-completion-script":
      // The parser's own scripts do not know the jobs. Print dray's instead.
      guard let script = CompletionScript.named(arguments.dropFirst().first ?? "") else { return nil }
      output.write(script)
    default: return nil
    }
    output.flush()
    if let failure = output.failure { Messages.print(failure) }
    return status == .success && output.isBroken ? .other : status
  }

  private static let versionWords: Set<String> = ["--version", "-V", "version"]

  /// Writes the help that a command line asks for.
  /// - Returns: Whether there is any.
  static func writeHelp(_ typed: [String]) -> Bool {
    guard let text = try? help(typed) else { return false }
    ResultOutput.standard.write(text)
    return true
  }

  private static func help(_ typed: [String]) throws(Failure) -> String {
    let (words, isStrict) = HelpRequest.words(typed)
    return try HelpRequest(root: try CommandReference.read(DrayRoot.self), layout: .standard)
      .page(words, isStrict: isStrict)
  }

  /// Returns the values of a definition's own completion function, called as the parser does.
  private static func custom(_ question: [String]) -> [String] {
    do {
      _ = try DrayRoot.parseAsRoot(["---completion"] + question)
      return []
    } catch {
      return DrayRoot.message(for: error).split(separator: "\n").map(String.init)
    }
  }
}
