// Text of strangers on a terminal: P8.

import Testing

@testable import DrayCore

@Suite struct TextSafetyTests {
  @Test(
    arguments: [
      ("", ""), ("plain ~", "plain ~"), ("naïve 日本語 🎉 e\u{301}", "naïve 日本語 🎉 e\u{301}"), ("\\n", "\\n"),
      ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\r\n", "\\r\\n"), ("\u{1B}[31m", "\\u{1B}[31m"), ("\0", "\\u{0}"),
      ("\u{7F}", "\\u{7F}"), ("\u{9B}2J", "\\u{9B}2J"), ("\u{85}", "\\u{85}"), ("a\u{202E}b", "a\\u{202E}b"),
      ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
      ("\u{200B}\u{FEFF}\u{AD}", "\\u{200B}\\u{FEFF}\\u{AD}"), ("\u{E0041}", "\\u{E0041}"), ("\u{FFFE}", "\\u{FFFE}"),
      ("e\u{200D}\u{301}", "e\\u{200D}\u{301}"), ("\u{FFFD}", "\u{FFFD}"), ("\u{A0}", "\u{A0}"),
    ])
  func escaped(text: String, expected: String) {
    // Compare scalars: equality of strings would ignore some differences.
    #expect(TextSafety.escaped(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test(
    arguments: [
      ("", false), ("grüße\r\n\tx\u{C}", false), ("\u{1B}[1mbold\u{1B}[0m", false), ("\u{7F}", false), ("a\0b", true),
      ("\u{7}", true), ("a\u{8}", true), ("\u{1A}", true), ("\u{1F}\u{8B}", true),
    ])
  func binary(text: String, expected: Bool) { #expect(TextSafety.isBinary(text.utf8) == expected) }

  /// All of Unicode: no character remains that a terminal acts on, and no other is changed.
  @Test func everyScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isObeyed = value < 0x20 || (0x7F..<0xA0).contains(value) || [0x2028, 0x2029].contains(value)
      let properties = scalar.properties
      let isFormat = properties.generalCategory == .format || properties.isNoncharacterCodePoint
      let isReserved = properties.generalCategory == .unassigned && properties.isDefaultIgnorableCodePoint
      let isEscaped = !TextSafety.escaped(String(scalar)).unicodeScalars.elementsEqual([scalar])
      guard isEscaped != (isObeyed || isFormat || isReserved) else { continue }
      Issue.record("U+\(String(value, radix: 16))")
    }
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a\\x{FF}b"), ([0xC3, 0xA9], "é"), ([0xC3], "\\x{C3}"),
      ([0xE2, 0x82, 0x61], "\\x{E2}\\x{82}a"),
      ([0xED, 0xA0, 0x80], "\\x{ED}\\x{A0}\\x{80}"), ([0xC0, 0xAF], "\\x{C0}\\x{AF}"), ([0x1B], "\\u{1B}"), ([], ""),
    ] as [([UInt8], String)])
  func bytes(bytes: [UInt8], expected: String) {
    #expect(TextSafety.escaped(utf8: bytes) == expected)
  }

  @Test func quotesAreShort() {
    #expect(quoted("a\u{1B}") == "\"a\\u{1B}\"")
    #expect(quoted(String(repeating: "x", count: 61)) == "\"" + String(repeating: "x", count: 60) + "…\"")
    #expect(quoted("e" + String(repeating: "\u{301}", count: 100_000)).utf8.count < 300)
  }
}
