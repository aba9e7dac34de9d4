// The messages about a command line, a variable or a directory that is not UTF-8 (D11).

extension OutsideText {
  /// Returns a failure if an argument, or a variable that dray reads, is not UTF-8.
  /// - Parameters:
  ///   - words: The arguments, without the program's name.
  ///   - environment: The variables, each as `NAME=VALUE`.
  public static func refusal(words: [[UInt8]], environment: [[UInt8]]) -> Failure? {
    if let index = words.firstIndex(where: { text($0) == nil }) {
      // Show the word only if it is a URL; any other word may be a password, so the message gives its number.
      let shown = isURL(words[index]) ? words[index] : nil
      return refusal("argument \(index + 1)", shown, "write it in UTF-8, or URLs with %XX for such bytes")
    }
    for variable in environment where text(variable) == nil {
      let parts = variable.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.flatMap({ text($0) }), isLookedAt(name) else { continue }
      // Show only the name of the variable, because its value may be secret.
      return Failure(.usage, name, "it is not valid UTF-8", advice: "set the variable to UTF-8, or unset it")
    }
    return nil
  }

  /// Returns the failure for a current directory that is not UTF-8.
  public static func refusal(directory: some Collection<UInt8>) -> Failure {
    refusal("the current directory", Array(directory), "change to a directory whose path is UTF-8")
  }

  /// - Parameter bytes: The text to show; `nil` if it may be secret.
  private static func refusal(_ subject: String, _ bytes: [UInt8]?, _ advice: Advice) -> Failure {
    guard let bytes else { return Failure(.usage, subject, "it is not valid UTF-8", advice: advice) }
    let shown = TextSafety.escaped(utf8: bytes.prefix(200))
    return Failure(.usage, subject, "it is not valid UTF-8: \(URLRedaction.redactingURLs(in: shown))", advice: advice)
  }

  /// Whether a word begins with a scheme and `://`.
  private static func isURL(_ word: [UInt8]) -> Bool {
    guard let colon = word.firstRange(of: "://".utf8)?.lowerBound, colon > 0 else { return false }
    return word[..<colon].allSatisfy { URLRedaction.isSchemeByte($0) }
  }

  private static func isLookedAt(_ name: String) -> Bool {
    name == "HOME" || name.hasPrefix("DRAY_") || name.hasPrefix("XDG_") || name.lowercased().hasSuffix("_proxy")
  }
}
