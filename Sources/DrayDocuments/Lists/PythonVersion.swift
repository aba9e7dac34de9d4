// The versions of Python's packages and their order (PEP 440).

internal import DrayCore

struct PythonVersion: Comparable {
  private enum Pre: Int { case a, b, rc }

  private var epoch = 0
  /// Without zeros at the end.
  private var release: [Int] = []
  private var pre: (kind: Int, number: Int)?
  private var post: Int?
  private var dev: Int?
  private var local: [String] = []

  var isPreRelease: Bool { pre != nil || dev != nil }

  /// `nil` for a text that is not a version.
  init?(_ text: String) {
    guard text.utf8.count <= 200, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var rest = Substring(text.lowercased())
    if rest.first == "v" { rest = rest.dropFirst() }
    let parts = rest.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      local = parts[1].split { "-_.".contains($0) }.map { part in Int(part).map { "\($0)" } ?? String(part) }
      guard !local.isEmpty, local.allSatisfy({ $0.utf8.allSatisfy { ListText.isDigit($0) || ListText.isLetter($0) } })
      else {
        return nil
      }
    }
    rest = parts[0]
    if let mark = rest.firstIndex(of: "!") {
      guard let number = Int(rest[..<mark]), number >= 0 else { return nil }
      (epoch, rest) = (number, rest[rest.index(after: mark)...])
    }
    guard let first = PythonVersion.number(&rest) else { return nil }
    release = [first]
    while rest.first == ".", rest.dropFirst().first?.isNumber ?? false {
      rest = rest.dropFirst()
      guard let number = PythonVersion.number(&rest) else { return nil }
      release.append(number)
    }
    while release.last == 0 { release.removeLast() }
    guard readSuffixes(&rest), rest.isEmpty else { return nil }
  }

  /// Reads the marks of pre-releases, post-releases and developers' releases.
  private mutating func readSuffixes(_ rest: inout Substring) -> Bool {
    let kinds: [(String, Pre)] = [
      ("alpha", .a), ("beta", .b), ("preview", .rc), ("pre", .rc), ("rc", .rc), ("a", .a), ("b", .b), ("c", .rc),
    ]
    for (word, kind) in kinds where pre == nil {
      if let number = PythonVersion.suffix(word, &rest) { pre = (kind.rawValue, number) }
    }
    for word in ["post", "rev", "r"] where post == nil { post = PythonVersion.suffix(word, &rest) }
    // `1.0-1` is `1.0.post1`.
    if post == nil, rest.first == "-" {
      rest = rest.dropFirst()
      guard let number = PythonVersion.number(&rest) else { return false }
      post = number
    }
    dev = PythonVersion.suffix("dev", &rest)
    return true
  }

  /// Reads a word with its number, which is 0 if it is missing.
  private static func suffix(_ word: String, _ rest: inout Substring) -> Int? {
    var after = rest
    if let first = after.first, "-_.".contains(first) { after = after.dropFirst() }
    guard after.hasPrefix(word) else { return nil }
    after = after.dropFirst(word.count)
    var number = after
    if let first = number.first, "-_.".contains(first) { number = number.dropFirst() }
    if let value = self.number(&number) {
      rest = number
      return value
    }
    rest = after
    return 0
  }

  private static func number(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let value = Int(digits) else { return nil }
    rest = rest[digits.endIndex...]
    return value
  }

  /// The parts after the release numbers, so that they compare in turn: a developers' release comes before
  /// pre-releases, and a post-release after the release.
  private var rank: [Int] {
    let phase: [Int] =
      if let pre { [pre.kind, pre.number] } else if post == nil, dev != nil { [-1, 0] } else { [3, 0] }
    return phase + [post ?? -1, dev ?? .max]
  }

  static func < (one: PythonVersion, other: PythonVersion) -> Bool {
    if one.epoch != other.epoch { return one.epoch < other.epoch }
    if one.release != other.release { return one.release.lexicographicallyPrecedes(other.release) }
    if one.rank != other.rank { return one.rank.lexicographicallyPrecedes(other.rank) }
    return one.local.lexicographicallyPrecedes(other.local, by: isLower)
  }

  static func == (one: PythonVersion, other: PythonVersion) -> Bool {
    one.epoch == other.epoch && one.release == other.release && one.rank == other.rank && one.local == other.local
  }

  /// Whether a part of a local version is lower than another: numbers are above words.
  private static func isLower(_ one: String, _ other: String) -> Bool {
    switch (Int(one), Int(other)) {
    case (let first?, let second?): first < second
    case (nil, nil): one < other
    case (let first, _): first == nil
    }
  }
}
