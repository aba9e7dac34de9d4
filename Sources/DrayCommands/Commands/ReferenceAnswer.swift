// What is answered before anything is parsed: `dray help`, and what a shell asks for while somebody types.

internal import ArgumentParser
internal import DrayKit

enum ReferenceAnswer {
  /// Answers; nil where the words ask for something else. No configuration is read, and no store is made.
  /// - Parameter usage: made only where it is needed: it reads about every command.
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
    case "--version" where arguments.count == 1: output.write(VersionText.text + "\n")
    case CompletionScript.request:
      // Whatever is wrong, it is not reported in the line that somebody is typing.
      if let root = try? CommandReference.read(DrayRoot.self) {
        let answer = CompletionAnswer(root: root) { custom($0) }
        output.write(answer.text(Array(arguments.dropFirst())))
      }
    case "--generate-completion-script":
      // The parser has scripts of its own; what it would print does not know the jobs.
      guard let script = CompletionScript.named(arguments.dropFirst().first ?? "") else { return nil }
      output.write(script)
    default: return nil
    }
    output.flush()
    if let failure = output.failure { Messages.print(failure) }
    return status == .success && output.isBroken ? .other : status
  }

  /// Writes the help that words ask for, among others.
  /// - Returns: whether there is any.
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

  /// The values that a definition completes by a function of its own, as the parser calls it.
  private static func custom(_ question: [String]) -> [String] {
    do {
      _ = try DrayRoot.parseAsRoot(["---completion"] + question)
      return []
    } catch {
      return DrayRoot.message(for: error).split(separator: "\n").map(String.init)
    }
  }
}
