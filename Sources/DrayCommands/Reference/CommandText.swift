// Splits the description of a command into its parts.

/// A discussion: paragraphs, then examples.
struct CommandText {
  /// Running text, with one string per paragraph.
  var paragraphs: [String] = []
  /// Command lines, as typed.
  var examples: [String] = []

  /// Parses a discussion. Examples are below a line `EXAMPLES` or `EXAMPLE`.
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
