// Regular expressions that users type (`feed --match`), matched by the C library on a limited text.

internal import CText

/// The reason why a text is not a regular expression.
package struct ExpressionError: ParseError, Sendable {
  /// One line: the error, and a valid form.
  package let message: String
  init(_ message: String) { self.message = message }
}

/// A case-insensitive POSIX extended regular expression (regex(7)).
///
/// The program sets no locale, so the C library works on bytes, in time proportional to the text (P13). A non-ASCII
/// letter matches itself, even if a count follows. `.`, `[^a]` and `\w` match single bytes of such a letter.
package final class RegularExpression: @unchecked Sendable {
  /// The number of bytes of a text that are matched.
  static let mostBytes = 1024
  /// Not changed after compilation, so `regexec` may use it on several threads at once.
  private let compiled: UnsafeMutablePointer<regex_t>

  /// Parses an expression.
  /// - Throws: ``ExpressionError``.
  package init(_ text: String) throws(ExpressionError) {
    var writer = ExpressionWriter(rest: text.unicodeScalars[...])
    let written = try writer.write()
    let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    compiled.initialize(to: regex_t())
    let status = regcomp(compiled, written, REG_EXTENDED | REG_ICASE | REG_NOSUB)
    guard status == 0 else {
      let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        regerror(status, compiled, buffer.baseAddress, buffer.count)
        return buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
      compiled.deallocate()
      throw ExpressionError(reason)
    }
    self.compiled = compiled
  }

  deinit {
    regfree(compiled)
    compiled.deallocate()
  }

  /// Whether any part of the first KiB of a text matches.
  package func matches(_ text: String) -> Bool {
    let start = String(decoding: text.utf8.prefix(RegularExpression.mostBytes), as: UTF8.self)
    return regexec(compiled, start.lowercased(), 0, nil, 0) == 0
  }
}

/// Rewrites an expression so that it can be matched on bytes. Refuses syntax whose meaning in the C library would
/// surprise most users, or whose time or memory is unlimited.
private struct ExpressionWriter {
  /// The maximum length of an expression, in characters.
  private static let largest = 1000
  private static let deepest = 100

  private var rest: Substring.UnicodeScalarView
  private var written = String.UnicodeScalarView()
  /// The size of each open group in characters, with counts expanded as the C library does: `a+` is `aa*`.
  private var sizes = [0]
  /// The number of characters that a following count would repeat.
  private var last = 0

  init(rest: Substring.UnicodeScalarView) { self.rest = rest }

  mutating func write() throws(ExpressionError) -> String {
    while let scalar = rest.popFirst() {
      guard scalar.isASCII else {
        writeLetter(scalar)
        continue
      }
      written.append(scalar)
      switch scalar {
      case "\0": throw ExpressionError("it has a NUL character")
      case "(": try open()
      case ")": if sizes.count > 1 { add(sizes.removeLast()) }
      case "|": last = 0
      case "*", "?": break
      case "+": repeatLast(2)
      case "{": repeatLast(takeCount())
      case "[": try takeBrackets()
      case "\\": try takeEscaped()
      default: add(1)
      }
      guard sizes.reduce(0, +) <= ExpressionWriter.largest else {
        throw ExpressionError("it is too large: its counts amount to over \(ExpressionWriter.largest) characters")
      }
    }
    return String(written)
  }

  private mutating func add(_ size: Int) {
    last = max(size, 1)
    sizes[sizes.count - 1] += last
  }

  private mutating func repeatLast(_ count: Int) {
    sizes[sizes.count - 1] += last * (count - 1)
    last *= count
  }

  private mutating func open() throws(ExpressionError) {
    guard rest.first != "?" else {
      throw ExpressionError("it has (? in it: this is no Perl, but the form of grep -E; case never matters")
    }
    guard sizes.count < ExpressionWriter.deepest else { throw ExpressionError("its groups are too deep") }
    sizes.append(0)
  }

  /// Writes a letter as a group of its bytes, so that a count applies to all of them.
  private mutating func writeLetter(_ scalar: Unicode.Scalar) {
    written += "(\(scalar.properties.lowercaseMapping))".unicodeScalars
    add(1)
  }

  /// Reads the rest of a count such as `{2,3}`. Returns the largest number in the count, plus one if the count has no
  /// upper end.
  private mutating func takeCount() -> Int {
    let text = rest.prefix { $0 != "}" }
    rest.removeFirst(text.count)
    written += text
    let numbers = text.split(separator: ",").map { min(Int(String($0)) ?? .max, ExpressionWriter.largest + 1) }
    return max((numbers.max() ?? 1) + (text.last == "," ? 1 : 0), 1)
  }

  private mutating func takeBrackets() throws(ExpressionError) {
    func take(_ scalar: Unicode.Scalar) -> Bool {
      guard rest.first == scalar else { return false }
      written.append(rest.removeFirst())
      return true
    }
    _ = take("^")
    _ = take("]")
    add(1)
    while let scalar = rest.popFirst() {
      guard scalar.isASCII, scalar != "\0" else {
        throw ExpressionError("brackets take ASCII characters only: write (ä|a) instead of [äa]")
      }
      written.append(scalar)
      if scalar == "]" { return }
      if scalar == "\\", rest.first?.properties.isAlphabetic == true {
        throw ExpressionError("a backslash in brackets is a character: write [0-9] instead of [\\d]")
      }
      guard scalar == "[", let kind = rest.first, kind == ":" || kind == "=" || kind == "." else { continue }
      // A class such as [:alpha:].
      written.append(rest.removeFirst())
      while let inner = rest.first, inner.isASCII, !(inner == "]" && written.last == kind) {
        written.append(rest.removeFirst())
      }
      _ = take("]")
    }
  }

  private mutating func takeEscaped() throws(ExpressionError) {
    // A trailing backslash is left to the C library, which refuses it.
    guard let scalar = rest.first else { return }
    guard scalar.isASCII, scalar != "\0" else {
      written.removeLast()
      return
    }
    rest.removeFirst()
    if ("1"..."9").contains(scalar) {
      throw ExpressionError("\\\(scalar) refers back to a group, which could take forever")
    }
    if scalar.properties.isAlphabetic, !"wWsSbB".unicodeScalars.contains(scalar) {
      throw ExpressionError(
        "\\\(scalar) means nothing here: there are \\w \\s \\b, their opposites, and classes such as [0-9]")
    }
    written.append(scalar)
    add(1)
  }
}
