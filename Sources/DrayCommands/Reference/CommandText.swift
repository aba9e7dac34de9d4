// Splits the description of a command into its parts.

/// The text in a command's definition: paragraphs, followed by examples.
struct CommandText {
  /// The running text, with one string for each paragraph.
  var paragraphs: [String] = []
  /// The examples, which are command lines as a user types them.
  var examples: [String] = []

  /// Parses the text. The examples follow a line `EXAMPLES` or `EXAMPLE`.
  init(_ discussion: String?) {
    var isExample = false
    for block in (discussion ?? "").split(separator: "\n\n", omittingEmptySubsequences: true) {
      var lines = block.split(separator: "\n").map(String.init)
      if let first = lines.first, ["EXAMPLES", "EXAMPLE"].contains(first) {
        isExample = true
        lines.removeFirst()
      }
      if isExample {
        let indent = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        examples += lines.map { String($0.dropFirst(indent)) }
      } else if !lines.isEmpty {
        paragraphs.append(lines.joined(separator: " "))
      }
    }
  }
}
