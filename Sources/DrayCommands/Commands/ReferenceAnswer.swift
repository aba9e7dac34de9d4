// Answers command lines that need no parsing: `dray help`, and the requests of a shell's completion.

internal import ArgumentParser
internal import DrayKit

enum ReferenceAnswer {
  /// Answers a request for help or completions, and returns `nil` for any other command line. No configuration is read,
  /// and no store is created.
  /// - Parameter usage: The texts for errors. They are made only if needed, because that reads the definitions of all
  ///   commands.
  static func run(_ arguments: [String], _ usage: @autoclosure () -> UsageText) -> ExitStatus? {
    let output = ResultOutput.standard
    var status = ExitStatus.success
    switch arguments.first {
    case "help":
      let words = arguments.dropFirst()
      if words.first != SourceHelp.topic, let unknown = usage().unknownCommand(Array(words)) {
        Messages.print(unknown)
        return .usage
      }
      do throws(Failure) { output.write(try help(arguments)) } catch {
        Messages.print(error)
        status = error.exitStatus
      }
    case let word? where arguments.count == 1 && versionWords.contains(word): output.write(VersionText.text + "\n")
    case CompletionScript.request:
      // An error must never be printed into the line that the user is typing.
      if let root = try? CommandReference.read(DrayRoot.self) {
        let answer = CompletionAnswer(root: root) { custom($0) }
        output.write(answer.text(Array(arguments.dropFirst())))
      }
    case "--generate-completion-script":
      // The scripts that the parser generates cannot complete the ids of jobs. Therefore dray's own scripts are printed
      // instead.
      guard let script = CompletionScript.named(arguments.dropFirst().first ?? "") else { return nil }
      output.write(script)
    default: return nil
    }
    output.flush()
    if let failure = output.failure { Messages.print(failure) }
    return status == .success && output.isBroken ? .other : status
  }

  private static let versionWords: Set<String> = ["--version", "-V", "version"]

  /// Writes the help text that a command line asks for.
  /// - Returns: Whether there was a help text to write.
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

  /// Returns the values of an option's own completion function, which is called as the parser calls it.
  private static func custom(_ question: [String]) -> [String] {
    do {
      _ = try DrayRoot.parseAsRoot(["---completion"] + question)
      return []
    } catch {
      return DrayRoot.message(for: error).split(separator: "\n").map(String.init)
    }
  }
}
