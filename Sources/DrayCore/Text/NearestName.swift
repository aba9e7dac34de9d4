/// Finds the known name that a user probably meant by an unknown one, for suggestions in error messages.
package enum NearestName {
  /// Returns the name in `names` that differs least from `name`; `nil` if all names differ in more than a third of the
  /// letters, or in more than one letter if the name is short. Upper and lower case count as equal, and so do `_` and
  /// `-`.
  package static func find(_ name: String, among names: some Sequence<String>) -> String? {
    let wanted = folded(name)
    guard wanted.count <= 100 else { return nil }
    let limit = max(1, wanted.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in names {
      let distance = distance(wanted, folded(candidate), atMost: limit)
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.name
  }

  /// Returns a suggestion, or the list of known names, as the part of a message after `; `.
  package static func advice(_ name: String, among names: [String]) -> String {
    if let nearest = find(name, among: names) { return "did you mean \(TextSafety.escaped(nearest))?" }
    let shown = names.prefix(20).map { TextSafety.escaped($0) }.joined(separator: ", ")
    return names.count > 20 ? "there are \(shown), …" : "use one of \(shown)"
  }

  private static func folded(_ text: String) -> [Character] {
    text.lowercased().map { $0 == "_" ? "-" : $0 }
  }

  /// Counts insertions, deletions, substitutions and swaps of neighbours between two texts. If the count exceeds
  /// `limit`, the result may be any number above `limit`.
  private static func distance(_ one: [Character], _ other: [Character], atMost limit: Int) -> Int {
    guard abs(one.count - other.count) <= limit else { return limit + 1 }
    var before = [Int](repeating: 0, count: other.count + 1)
    var row = Array(0...other.count)
    for i in 1..<(one.count + 1) {
      var next = [i] + [Int](repeating: 0, count: other.count)
      for j in 1..<(other.count + 1) {
        let cost = one[i - 1] == other[j - 1] ? 0 : 1
        next[j] = min(row[j] + 1, next[j - 1] + 1, row[j - 1] + cost)
        if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
          next[j] = min(next[j], before[j - 2] + 1)
        }
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
