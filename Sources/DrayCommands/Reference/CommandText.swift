// The description of a command, in its parts.

/// A discussion as its author wrote it: paragraphs, then examples.
struct CommandText {
  /// Running text, one string a paragraph.
  var paragraphs: [String] = []
  /// Command lines, as they are typed.
  var examples: [String] = []

  /// Reads it; examples stand below a line `EXAMPLES` or `EXAMPLE`.
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
