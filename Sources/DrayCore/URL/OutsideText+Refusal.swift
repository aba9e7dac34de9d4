// The messages on a command line, a variable or a directory that is not UTF-8 (D11).

extension OutsideText {
  /// The failure of a command line with a word, or a variable that dray reads, that is not UTF-8.
  /// - Parameters:
  ///   - words: the arguments, without the program's name.
  ///   - environment: the variables, each as `NAME=VALUE`.
  public static func refusal(words: [[UInt8]], environment: [[UInt8]]) -> Failure? {
    if let index = words.firstIndex(where: { text($0) == nil }) {
      return refusal("argument \(index + 1)", words[index], "write it in UTF-8, or URLs with %XX for such bytes")
    }
    for variable in environment where text(variable) == nil {
      let parts = variable.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.flatMap({ text($0) }), isLookedAt(name) else { continue }
      // The value may be secret: show only the name.
      return Failure(.usage, name, "it is not valid UTF-8", advice: "set the variable to UTF-8, or unset it")
    }
    return nil
  }

  /// The failure of a current directory that is not UTF-8.
  public static func refusal(directory: some Collection<UInt8>) -> Failure {
    refusal("the current directory", Array(directory), "change to a directory whose path is UTF-8")
  }

  private static func refusal(_ subject: String, _ bytes: [UInt8], _ advice: Advice) -> Failure {
    let shown = TextSafety.escaped(utf8: bytes.prefix(200))
    return Failure(.usage, subject, "it is not valid UTF-8: \(URLRedaction.redactingURLs(in: shown))", advice: advice)
  }

  private static func isLookedAt(_ name: String) -> Bool {
    name == "HOME" || name.hasPrefix("DRAY_") || name.hasPrefix("XDG_") || name.lowercased().hasSuffix("_proxy")
  }
}
