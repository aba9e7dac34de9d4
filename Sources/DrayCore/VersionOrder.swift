// Which of two versions is the higher one: semantic versions by their rules, everything else as people read it.

/// The order of version texts.
public enum VersionOrder {
  /// Whether `one` is lower than `other`.
  ///
  /// Two semantic versions (a `v` before them and fewer or more than three numbers do no harm) are ordered by Semantic
  /// Versioning 2.0.0 §11: numbers first, a pre-release below its release, its parts one by one, what follows `+`
  /// ignored. Any other two texts are in natural order: runs of digits count as numbers. Texts that come out equal are
  /// ordered by their bytes, so that the order is total.
  public static func isLower(_ one: String, _ other: String) -> Bool {
    let order =
      if let a = Semantic(one), let b = Semantic(other) { compare(a, b) } else { natural(one, other) }
    return order == 0 ? one < other : order < 0
  }

  /// The highest of several versions.
  public static func highest(_ versions: some Sequence<String>) -> String? { versions.max(by: isLower) }

  private struct Semantic {
    var numbers: [Substring]
    var prerelease: [Substring]

    init?(_ text: String) {
      var rest = text[...]
      if rest.first == "v" || rest.first == "V" { rest.removeFirst() }
      rest = rest.prefix { $0 != "+" }
      let parts = rest.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
      prerelease = parts.count > 1 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
      guard numbers.allSatisfy(isNumber), !prerelease.contains("") else { return nil }
      while numbers.count > 1, numbers.last?.allSatisfy({ $0 == "0" }) ?? false { numbers.removeLast() }
    }
  }

  private static func compare(_ one: Semantic, _ other: Semantic) -> Int {
    for (a, b) in zip(one.numbers, other.numbers) where compareNumbers(a, b) != 0 { return compareNumbers(a, b) }
    if one.numbers.count != other.numbers.count { return one.numbers.count < other.numbers.count ? -1 : 1 }
    if one.prerelease.isEmpty || other.prerelease.isEmpty {
      return one.prerelease.isEmpty == other.prerelease.isEmpty ? 0 : one.prerelease.isEmpty ? 1 : -1
    }
    for (a, b) in zip(one.prerelease, other.prerelease) {
      let order =
        switch (isNumber(a), isNumber(b)) {
        case (true, true): compareNumbers(a, b)
        case (true, false): -1
        case (false, true): 1
        case (false, false): a == b ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
        }
      if order != 0 { return order }
    }
    return (one.prerelease.count - other.prerelease.count).signum()
  }

  private static func natural(_ one: String, _ other: String) -> Int {
    for (a, b) in zip(runs(one), runs(other)) {
      let order = isNumber(a) && isNumber(b) ? compareNumbers(a, b) : a == b ? 0 : a < b ? -1 : 1
      if order != 0 { return order }
    }
    return (runs(one).count - runs(other).count).signum()
  }

  private static func runs(_ text: String) -> [Substring] {
    var runs: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      let run = rest.prefix { isDigit($0) == isDigit(first) }
      runs.append(run)
      rest = rest[run.endIndex...]
    }
    return runs
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
  private static func isNumber(_ text: Substring) -> Bool { !text.isEmpty && text.allSatisfy(isDigit) }

  /// Compares numbers of any length.
  private static func compareNumbers(_ one: Substring, _ other: Substring) -> Int {
    let (a, b) = (one.drop { $0 == "0" }, other.drop { $0 == "0" })
    if a.count != b.count { return a.count < b.count ? -1 : 1 }
    return a == b ? 0 : a < b ? -1 : 1
  }
}
