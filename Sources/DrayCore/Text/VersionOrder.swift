/// Compares versions: semantic versions by the rules for them, other versions in natural order.
package enum VersionOrder {
  /// Whether `one` is lower than `other`.
  ///
  /// Semantic versions are ordered by Semantic Versioning 2.0.0 §11: first by their numbers, a pre-release below its
  /// release, pre-releases by their parts. Text after `+` is ignored. A leading `v`, and fewer or more than three
  /// numbers, are accepted. A version with any other text after its numbers is higher than the version without that
  /// text (`1.0.2` before `1.0.2k`). These texts are compared in natural order, in which runs of digits count as
  /// numbers. Texts that do not begin with a number come before those that do. They are also compared in natural order.
  /// If nothing else differs, the bytes decide, so that the order is total.
  package static func isLower(_ one: String, _ other: String) -> Bool {
    let order = compare(Version(one), Version(other))
    return order == 0 ? one.utf8.lexicographicallyPrecedes(other.utf8) : order < 0
  }

  /// Returns the highest version.
  package static func highest(_ versions: some Sequence<String>) -> String? { versions.max(by: isLower) }

  private typealias Text = Substring.UTF8View

  /// A version, split into the parts that are compared in turn. Any two versions can be compared; otherwise three
  /// versions could each be lower than the next in a circle.
  private struct Version {
    /// The leading numbers without trailing zeros; empty if the text does not begin with a number.
    var numbers: [Text] = []
    /// The text after the numbers, up to a `+`.
    var rest: Text
    var hasNumbers: Bool { !numbers.isEmpty }
    /// The rank among versions with the same numbers: a pre-release is below the version without more text, any other
    /// text is above it.
    var rank: Int { rest.isEmpty ? 0 : rest.first == UInt8(ascii: "-") ? -1 : 1 }

    init(_ text: String) {
      rest = Substring(text).utf8
      if let first = rest.first, first | 0x20 == UInt8(ascii: "v"), rest.dropFirst().first?.isDigit ?? false {
        rest = rest.dropFirst()
      }
      while true {
        let number = rest.prefix(while: \.isDigit)
        guard !number.isEmpty else { break }
        numbers.append(number)
        rest = rest[number.endIndex...]
        guard rest.first == UInt8(ascii: "."), rest.dropFirst().first?.isDigit ?? false else { break }
        rest = rest.dropFirst()
      }
      guard hasNumbers else { return }
      rest = rest.prefix { $0 != UInt8(ascii: "+") }
      while numbers.count > 1, numbers.last?.allSatisfy({ $0 == UInt8(ascii: "0") }) ?? false { numbers.removeLast() }
    }
  }

  private static func compare(_ one: Version, _ other: Version) -> Int {
    if one.hasNumbers != other.hasNumbers { return one.hasNumbers ? 1 : -1 }
    if let order = firstDifference(one.numbers, other.numbers, by: compareNumbers) { return order }
    if one.rank != other.rank { return one.rank < other.rank ? -1 : 1 }
    if one.rank < 0 {
      let parts = [one, other].map { version in
        version.rest.dropFirst().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      }
      return firstDifference(parts[0], parts[1], by: compareIdentifiers) ?? 0
    }
    return firstDifference(runs(one.rest), runs(other.rest), by: compareRuns) ?? 0
  }

  /// Compares element by element, then the lengths; returns `nil` if both are equal.
  private static func firstDifference(_ one: [Text], _ other: [Text], by compare: (Text, Text) -> Int) -> Int? {
    for (a, b) in zip(one, other) {
      let order = compare(a, b)
      if order != 0 { return order }
    }
    return one.count == other.count ? nil : (one.count - other.count).signum()
  }

  /// Compares identifiers of pre-releases: numbers come before other identifiers, which are ordered by their bytes.
  private static func compareIdentifiers(_ one: Text, _ other: Text) -> Int {
    switch (isNumber(one), isNumber(other)) {
    case (true, true): compareNumbers(one, other)
    case (true, false): -1
    case (false, true): 1
    case (false, false): compareBytes(one, other)
    }
  }

  private static func compareRuns(_ one: Text, _ other: Text) -> Int {
    isNumber(one) && isNumber(other) ? compareNumbers(one, other) : compareBytes(one, other)
  }

  private static func runs(_ text: Text) -> [Text] {
    var runs: [Text] = []
    var rest = text
    while let first = rest.first {
      let run = rest.prefix { $0.isDigit == first.isDigit }
      runs.append(run)
      rest = rest[run.endIndex...]
    }
    return runs
  }

  private static func isNumber(_ text: Text) -> Bool { !text.isEmpty && text.allSatisfy(\.isDigit) }

  private static func compareBytes(_ one: Text, _ other: Text) -> Int {
    one.elementsEqual(other) ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
  }

  /// Compares numbers of any length.
  private static func compareNumbers(_ one: Text, _ other: Text) -> Int {
    let (a, b) = (one.drop { $0 == UInt8(ascii: "0") }, other.drop { $0 == UInt8(ascii: "0") })
    return a.count == b.count ? compareBytes(a, b) : a.count < b.count ? -1 : 1
  }
}
