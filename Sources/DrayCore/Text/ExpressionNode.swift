// The syntax tree of a regular expression.

/// A part of a regular expression.
indirect enum ExpressionNode: Sendable {
  enum Assertion: Sendable {
    case start, end, edgeOfWord, noEdgeOfWord
  }

  case empty
  case set(ScalarSet)
  case assertion(Assertion)
  case sequence([ExpressionNode])
  case choice([ExpressionNode])
  /// The minimum and the maximum of a repetition; `nil` for no maximum.
  case repeated(ExpressionNode, Int, Int?)

  /// How many steps it becomes; a number that is far too large for what would be.
  var size: Int {
    switch self {
    case .empty: 0
    case .set, .assertion: 1
    case .sequence(let nodes): ExpressionNode.sum(nodes.map(\.size))
    case .choice(let nodes): ExpressionNode.sum(nodes.map { $0.size + 2 })
    case .repeated(let node, let least, let most):
      ExpressionNode.product(node.size + 1, max(most ?? least + 1, 1)) + 1
    }
  }

  private static let huge = 1 << 40
  private static func sum(_ sizes: [Int]) -> Int { sizes.reduce(0) { min($0 + $1, huge) } }
  private static func product(_ one: Int, _ other: Int) -> Int {
    let (product, overflow) = one.multipliedReportingOverflow(by: other)
    return overflow ? huge : min(product, huge)
  }
}

/// A set of scalars: ranges and classes, or all others.
struct ScalarSet: Sendable {
  enum Member: Sendable {
    case range(ClosedRange<UInt32>)
    case digit, word, blank
    case none(of: ScalarSetClass)
    case letter, upper, lower, punctuation
  }

  /// The classes that have a counterpart for everything else.
  enum ScalarSetClass: Sendable {
    case digit, word, blank
  }

  var members: [Member] = []
  var isInverted = false
  /// Whether it is case-insensitive.
  var ignoresCase = false

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var found = has(scalar)
    if !found, ignoresCase {
      found = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping].contains { mapped in
        mapped.unicodeScalars.count == 1 && mapped.unicodeScalars.contains(where: has)
      }
    }
    return found != isInverted
  }

  private func has(_ scalar: Unicode.Scalar) -> Bool {
    members.contains { member in
      switch member {
      case .range(let range): range.contains(scalar.value)
      case .digit: ScalarSet.isDigit(scalar)
      case .word: ScalarSet.isOfWord(scalar)
      case .blank: scalar.properties.isWhitespace
      case .none(.digit): !ScalarSet.isDigit(scalar)
      case .none(.word): !ScalarSet.isOfWord(scalar)
      case .none(.blank): !scalar.properties.isWhitespace
      case .letter: scalar.properties.isAlphabetic
      case .upper: scalar.properties.isUppercase
      case .lower: scalar.properties.isLowercase
      case .punctuation: ScalarSet.isPunctuation(scalar)
      }
    }
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .decimalNumber }

  /// Letters, digits, marks on them, and what joins words.
  static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return UInt8(ascii: scalar).isLetter || UInt8(ascii: scalar).isDigit || scalar == "_" }
    switch scalar.properties.generalCategory {
    case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation: return true
    default: return scalar.properties.isAlphabetic
    }
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      true
    default: false
    }
  }
}
