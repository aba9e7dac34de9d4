// Reads regular expressions as in grep -E and Perl, as far as one pass over a text can match them.

/// Why a text is not a regular expression.
public struct ExpressionError: ParseError, Sendable {
  /// One line: what is wrong, and what would be valid.
  public let message: String
  init(_ message: String) { self.message = message }
}

struct ExpressionParser {
  /// Groups within groups.
  private static let deepest = 100
  private static let mostRepeats = 1000

  private var rest: Substring.UnicodeScalarView
  private var depth = 0
  private var ignoresCase = false
  private var dotTakesLines = false

  init(_ text: String, ignoresCase: Bool = false) {
    rest = text[...].unicodeScalars
    self.ignoresCase = ignoresCase
  }

  /// Reads all of it.
  mutating func parse() throws(ExpressionError) -> ExpressionNode {
    let node = try choice()
    guard rest.isEmpty else { throw ExpressionError("unmatched ): write \\) for the character") }
    return node
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func choice() throws(ExpressionError) -> ExpressionNode {
    // What (?i) turns on is off again at the end of its group.
    let before = (ignoresCase, dotTakesLines)
    defer { (ignoresCase, dotTakesLines) = before }
    var ways = [try sequence()]
    while take("|") { ways.append(try sequence()) }
    return ways.count == 1 ? ways[0] : .choice(ways)
  }

  private mutating func sequence() throws(ExpressionError) -> ExpressionNode {
    var nodes: [ExpressionNode] = []
    while let first = rest.first, first != "|", first != ")" {
      guard let node = try atom() else { continue }
      nodes.append(try repeats(of: node))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// One character, class, group or assertion; `nil` for a flag.
  private mutating func atom() throws(ExpressionError) -> ExpressionNode? {
    let first = rest.removeFirst()
    switch first {
    case "(": return try group()
    case "[": return .set(try brackets())
    case "\\": return try escape()
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case ".":
      let lineEnds: [ScalarSet.Member] =
        dotTakesLines ? [] : [.range(0x0A...0x0D), .range(0x85...0x85), .range(0x2028...0x2029)]
      return .set(ScalarSet(members: lineEnds, isInverted: true))
    case "*", "+", "?":
      throw ExpressionError("\(quoted(String(first))) repeats nothing: write \\\(first) for the character")
    default: return .set(set(.range(first.value...first.value)))
    }
  }

  private func set(_ member: ScalarSet.Member) -> ScalarSet { ScalarSet(members: [member], ignoresCase: ignoresCase) }

  private mutating func repeats(of node: ExpressionNode) throws(ExpressionError) -> ExpressionNode {
    let bounds: (least: Int, most: Int?)
    switch rest.first {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      guard let counts = try counts() else { return node }
      bounds = counts
    default: return node
    }
    rest.removeFirst()
    // Greediness does not affect whether there is a match.
    _ = take("?")
    if let next = rest.first, ["*", "+", "?"].contains(next) {
      throw ExpressionError(
        next == "+"
          ? "possessive repetition (\(next)) is not supported"
          : "\(next) repeats a repetition: put that into ( )")
    }
    return .repeated(node, bounds.least, bounds.most)
  }

  /// `{2}`, `{2,}`, `{,3}` or `{2,3}`, of which all but the last brace is taken; `nil`, with nothing taken, for a brace that
  /// is none of these and stands for itself.
  private mutating func counts() throws(ExpressionError) -> (least: Int, most: Int?)? {
    guard let end = rest.firstIndex(of: "}") else { return nil }
    let inner = rest[rest.index(after: rest.startIndex)..<end]
    let parts = inner.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    let isCount = { (part: Substring.UnicodeScalarView) in part.allSatisfy { $0.isASCII && UInt8(ascii: $0).isDigit } }
    guard parts.allSatisfy(isCount), parts.contains(where: { !$0.isEmpty }), parts.count == 2 || !inner.isEmpty else {
      return nil
    }
    let numbers = parts.map { part in part.isEmpty ? nil : Int(String(part)) ?? .max }
    let least = numbers[0] ?? 0
    let most = numbers.count == 1 ? least : numbers[1]
    guard least <= ExpressionParser.mostRepeats, most ?? 0 <= ExpressionParser.mostRepeats else {
      throw ExpressionError(
        "{\(TextSafety.escaped(String(inner)))} repeats it too often: at most \(ExpressionParser.mostRepeats) times")
    }
    guard most.map({ $0 >= least }) ?? true else {
      throw ExpressionError("{\(TextSafety.escaped(String(inner)))} ends before it begins")
    }
    rest = rest[end...]
    return (least, most)
  }

  // MARK: Groups

  private mutating func group() throws(ExpressionError) -> ExpressionNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= ExpressionParser.deepest else { throw ExpressionError("its groups are nested too deeply") }
    let before = (ignoresCase, dotTakesLines)
    if take("?"), try !flags() { return nil }
    let node = try choice()
    (ignoresCase, dotTakesLines) = before
    guard take(")") else { throw ExpressionError("unmatched (: write \\( for the character") }
    return node
  }

  /// What follows `(?`.
  /// - Returns: whether a group follows.
  private mutating func flags() throws(ExpressionError) -> Bool {
    if take(":") { return true }
    let named = rest.starts(with: "P<".unicodeScalars) ? rest.dropFirst() : rest
    if named.first == "<", let letter = named.dropFirst().first, letter != "=", letter != "!" {
      guard let end = named.firstIndex(of: ">") else { throw ExpressionError("the name of a group is not closed") }
      rest = named[named.index(after: end)...]
      return true
    }
    var turnsOn = true
    while let flag = rest.popFirst() {
      switch flag {
      case "i": ignoresCase = turnsOn
      case "s": dotTakesLines = turnsOn
      case "-": turnsOn = false
      case ":": return true
      case ")": return false
      case "=", "!", "<", ">":
        throw ExpressionError("look-around (?\(flag) is not supported: its time is unbounded")
      default: throw ExpressionError("\(quoted("(?\(flag)")) is not supported: only (?i) and (?s) are")
      }
    }
    throw ExpressionError("unmatched (: write \\( for the character")
  }

  // MARK: Escapes and brackets

  private mutating func escape() throws(ExpressionError) -> ExpressionNode {
    switch rest.first {
    case "b": rest.removeFirst(); return .assertion(.edgeOfWord)
    case "B": rest.removeFirst(); return .assertion(.noEdgeOfWord)
    case "A": rest.removeFirst(); return .assertion(.start)
    case "z", "Z": rest.removeFirst(); return .assertion(.end)
    case let digit? where ("1"..."9").contains(digit):
      throw ExpressionError("the back-reference \\\(digit) is not supported: its time is unbounded")
    default: return .set(set(try escaped()))
    }
  }

  /// What follows a backslash, as a member of a set.
  private mutating func escaped() throws(ExpressionError) -> ScalarSet.Member {
    guard let scalar = rest.popFirst() else { throw ExpressionError("it ends in \\") }
    func one(_ value: UInt32) -> ScalarSet.Member { .range(value...value) }
    switch scalar {
    case "d": return .digit
    case "w": return .word
    case "s": return .blank
    case "D": return .none(of: .digit)
    case "W": return .none(of: .word)
    case "S": return .none(of: .blank)
    case "n": return one(0x0A)
    case "t": return one(0x09)
    case "r": return one(0x0D)
    case "f": return one(0x0C)
    case "v": return one(0x0B)
    case "e": return one(0x1B)
    case "x": return one(try number(after: "\\x", digits: 2))
    case "u": return one(try number(after: "\\u", digits: 4))
    default:
      guard !ScalarSet.isOfWord(scalar) else {
        throw ExpressionError("\(quoted("\\\(scalar)")) is not supported")
      }
      return one(scalar.value)
    }
  }

  /// So many hexadecimal digits, or any number in braces.
  private mutating func number(after name: String, digits: Int) throws(ExpressionError) -> UInt32 {
    let text: Substring.UnicodeScalarView
    if rest.first == "{", let end = rest.firstIndex(of: "}") {
      text = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      text = rest.prefix(digits)
      rest = rest.dropFirst(digits)
    }
    guard text.count >= 1, text.allSatisfy(\.properties.isASCIIHexDigit), let value = UInt32(String(text), radix: 16),
      Unicode.Scalar(value) != nil
    else { throw ExpressionError("\(name) needs the number of a character") }
    return value
  }

  private mutating func brackets() throws(ExpressionError) -> ScalarSet {
    var set = ScalarSet(ignoresCase: ignoresCase)
    set.isInverted = take("^")
    var isFirst = true
    while let scalar = rest.popFirst() {
      if scalar == "]", !isFirst { return set }
      isFirst = false
      if scalar == "[", rest.first == ":", let named = try namedClass() {
        set.members.append(named)
        continue
      }
      let low = scalar == "\\" ? try escaped() : .range(scalar.value...scalar.value)
      guard rest.first == "-", let next = rest.dropFirst().first, next != "]" else {
        set.members.append(low)
        continue
      }
      rest.removeFirst()
      let end = rest.removeFirst()
      let high = end == "\\" ? try escaped() : .range(end.value...end.value)
      guard case .range(let from) = low, case .range(let to) = high, from.lowerBound <= to.upperBound else {
        throw ExpressionError("a range in [ ] is invalid")
      }
      set.members.append(.range(from.lowerBound...to.upperBound))
    }
    throw ExpressionError("unmatched [: write \\[ for the character")
  }

  /// `[:alpha:]`, of which the first bracket was taken.
  private mutating func namedClass() throws(ExpressionError) -> ScalarSet.Member? {
    let name = rest.dropFirst().prefix { $0 != ":" && $0 != "]" }
    guard rest.dropFirst(1 + name.count).starts(with: ":]".unicodeScalars) else { return nil }
    rest = rest.dropFirst(name.count + 3)
    switch String(name) {
    case "alpha": return .letter
    case "digit": return .digit
    case "alnum", "word": return .word
    case "space", "blank": return .blank
    case "upper": return .upper
    case "lower": return .lower
    case "punct": return .punctuation
    default: throw ExpressionError("\(quoted("[:\(String(name)):]")) is unknown")
    }
  }
}
