// Host names in other scripts, in the form that DNS uses (IDNA, RFC 5891; Punycode, RFC 3492).
//
// libcurl leaves this to libidn2, which assumes the locale's encoding: without a UTF-8 locale it
// refuses every such URL. And two ways to write one host must be one origin. So it is done here.

enum InternationalName {
  /// The name with each label that is not ASCII as `xn--…`.
  ///
  /// Letters are folded to lower case, and what is only another way to write a letter becomes that letter: full-width
  /// forms, ligatures, an accent that stands by itself (Unicode's NFKC, of which the mapping of UTS 46 is made). What
  /// requires more of its tables is refused rather than guessed.
  static func ascii(_ name: String) throws(URLParseError) -> String {
    guard let plain = CompatibilityMapping.normalized(name),
      let folded = CompatibilityMapping.normalized(plain.lowercased())
    else { throw URLParseError("the host \(quoted(name)) cannot be turned into a DNS name: write its xn-- form") }
    let lower = folded.replacing("\u{3002}", with: ".")
    // "a/c" in one character must not become a path.
    let typed = Set(name.utf8)
    let isHidden = lower.utf8.contains { byte in
      byte < 0x80 && !byte.isLetter && !byte.isDigit && byte != UInt8(ascii: ".") && !typed.contains(byte)
    }
    guard !isHidden else {
      throw URLParseError("the host \(quoted(name)) cannot be turned into a DNS name: write its xn-- form")
    }
    var labels: [String] = []
    for label in lower.split(separator: ".", omittingEmptySubsequences: false) {
      guard label.utf8.contains(where: { $0 >= 0x80 }) else {
        labels.append(String(label))
        continue
      }
      guard isPlain(label), let encoded = punycode(label.unicodeScalars.map(\.value)), encoded.count <= 59 else {
        throw URLParseError("the host \(quoted(name)) cannot be turned into a DNS name: write its xn-- form")
      }
      labels.append("xn--" + encoded)
    }
    return labels.joined(separator: ".")
  }

  /// Whether a label holds letters, marks, digits and hyphens only, as RFC 5892 has it for nearly all scripts, and
  /// no mark on an ASCII letter: that is half of a letter written in two, for which DNS has the composed one.
  private static func isPlain(_ label: Substring) -> Bool {
    var previous: Unicode.Scalar = "-"
    for scalar in label.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber: break
      case .nonspacingMark, .spacingMark: if previous.isASCII { return false }
      default: if scalar != "-" { return false }
      }
      previous = scalar
    }
    return true
  }

  /// A label in Punycode (RFC 3492 §6.3), without the prefix; `nil` when it is too long for a number.
  private static func punycode(_ scalars: [UInt32]) -> String? {
    let basic = scalars.filter { $0 < 0x80 }
    var output = basic.map { UInt8($0) }
    if !basic.isEmpty { output.append(UInt8(ascii: "-")) }
    guard scalars.count <= 63 else { return nil }

    var (n, delta, bias, handled) = (UInt32(0x80), UInt32(0), UInt32(72), UInt32(basic.count))
    while handled < scalars.count {
      guard let next = scalars.filter({ $0 >= n }).min() else { return nil }
      delta += (next - n) * (handled + 1)
      n = next
      for scalar in scalars {
        if scalar < n { delta += 1 }
        guard scalar == n else { continue }
        appendNumber(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A number in variable length, base 36 (RFC 3492 §3.3).
  private static func appendNumber(_ number: UInt32, bias: UInt32, to output: inout [UInt8]) {
    func digit(_ value: UInt32) -> UInt8 { UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26) }
    var rest = number
    var position: UInt32 = 36
    while true {
      let threshold = position <= bias ? 1 : min(position - bias, 26)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    output.append(digit(rest))
  }

  /// The next bias (RFC 3492 §3.4).
  private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var position: UInt32 = 0
    while rest > 455 {
      rest /= 35
      position += 36
    }
    return position + 36 * rest / (rest + 38)
  }
}
