// The mapping of characters in host names, compared with Foundation's.

import Foundation
import Testing

@testable import DrayCore

@Suite("Compatibility mapping")
struct CompatibilityMappingTests {
  @Test("every character is mapped as Foundation maps it, or left out; more than nine of ten are mapped")
  func everyCharacter() {
    var leftOut = 0
    for value in UInt32(0x80)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
      let text = "a\(scalar)b"
      guard let mapped = CompatibilityMapping.normalized(text) else {
        leftOut += 1
        continue
      }
      let expected = text.precomposedStringWithCompatibilityMapping
      // Foundation's tables may be of another version of Unicode than the standard library's.
      #expect(mapped.unicodeScalars.elementsEqual(expected.unicodeScalars), "U+\(String(value, radix: 16))")
    }
    #expect((1000..<4000).contains(leftOut))
  }

  @Test(arguments: [
    ("e\u{301}", "é"), ("\u{212B}", "Å"), ("\u{FF21}\u{FF0E}", "A."), ("ﬁ", "fi"), ("\u{1E9B}", "ṡ"), ("abc", "abc"),
    ("\u{1D400}\u{1D419}", "AZ"), ("\u{1112}\u{1161}\u{11AB}", "한"),
  ])
  func forms(_ text: String, _ expected: String) {
    #expect(CompatibilityMapping.normalized(text)?.unicodeScalars.elementsEqual(expected.unicodeScalars) == true)
  }

  @Test("a letter and its marks are one character", arguments: ["e\u{301}x", "q\u{307}\u{323}", "", "\u{FF21}", "가"])
  func composition(_ text: String) {
    #expect(text.composed.unicodeScalars.elementsEqual(text.precomposedStringWithCanonicalMapping.unicodeScalars))
  }
}
