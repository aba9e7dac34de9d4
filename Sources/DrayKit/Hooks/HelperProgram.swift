// Runs a program that answers a question, such as a credential helper of docker.

internal import Posix

/// A program that reads a question and writes an answer. Its messages for people are dropped, because they may repeat
/// secrets.
enum HelperProgram {
  /// The longest answer in bytes.
  private static let answerLimit = 64 << 10
  /// The seconds after which a helper is terminated. It may ask its user to unlock a keyring.
  private static let patience = 60.0

  /// Returns the standard output of a program.
  /// - Parameters:
  ///   - words: The program, which is looked up in `PATH`, and its arguments.
  ///   - input: The whole standard input.
  /// - Returns: `nil` if the program does not exist, fails, takes too long, or answers too much.
  static func answer(_ words: [String], _ input: String) async -> [UInt8]? {
    guard let source = HookFile(Array(input.utf8)) else { return nil }
    defer { source.close() }
    guard let nothing = try? System.open("/dev/null", .writing) else { return nil }
    defer { System.close(nothing) }
    guard let output = HookOutput(keeping: answerLimit, of: .beginning) else { return nil }
    var start = ChildStart(words)
    (start.hidden, start.group, start.directory) = (ChildProgram.secretVariables, .own, "/")
    (start.input, start.output, start.error) = (source.descriptor, output.descriptor, nothing)
    let ending = await HookGroups.run(start, within: patience, cutting: output)
    let answer = output.finish()
    return ending == .exited(0) && !output.isCut ? answer : nil
  }
}
