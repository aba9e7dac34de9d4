// Bytes that are not UTF-8 are reported with their place (D11).

import DrayCore
import Testing

@Suite struct OutsideTextTests {
  private static func bytes(_ text: String, _ more: UInt8...) -> [UInt8] { Array(text.utf8) + more }

  @Test func words() {
    #expect(OutsideText.refusal(words: [Self.bytes("get"), Self.bytes("ü")], environment: []) == nil)
    let failure = OutsideText.refusal(words: [Self.bytes("get"), Self.bytes("caf", 0xE9)], environment: [])
    #expect(failure?.kind == .usage && failure?.subject == "argument 2")
    #expect(failure?.reason == "it is not valid UTF-8")
    let secret = OutsideText.refusal(words: [Self.bytes("http://ann:pw@h/", 0xE9)], environment: [])
    #expect(secret?.reason.contains("pw") == false && secret?.reason.contains("@h/\\x{E9}") == true)
    for word in ["pw", "--pass=pw", "X-Key: pw http://h/", "://pw"] {
      let hidden = OutsideText.refusal(words: [Self.bytes(word, 0xE9)], environment: [])
      #expect(hidden?.subject == "argument 1" && hidden?.reason == "it is not valid UTF-8")
    }
  }

  @Test(arguments: [
    ("HOME=/h", true), ("DRAY_PASSWORD=s", true), ("XDG_STATE_HOME=/x", true), ("https_proxy=http://p", true),
    ("LESS=x", false), ("=x", false), ("", false),
  ])
  func variables(start: String, isRefused: Bool) {
    let failure = OutsideText.refusal(words: [], environment: [Self.bytes("A=b"), Self.bytes(start, 0xFF)])
    #expect((failure != nil) == isRefused)
    #expect(failure?.message(.plain).contains("s\u{FFFD}") != true)
    if isRefused { #expect(failure?.subject == start.split(separator: "=").first.map(String.init)) }
  }

  @Test func directories() {
    #expect(OutsideText.refusal(directory: Self.bytes("/tmp/", 0xE9)).message(.plain).contains("/tmp/\\x{E9}"))
  }

  @Test(
    arguments: [
      ([], nil), ([0x61, 0x0A, 0x62], nil), ([0xFF], 1), ([0x61, 0x0A, 0xFF, 0x0A], 2), ([0x0A, 0x0A, 0xC3], 3),
      ([0xC3, 0xA9, 0x0A], nil),
    ] as [([UInt8], Int?)])
  func lines(bytes: [UInt8], line: Int?) {
    #expect(OutsideText.badLine(in: bytes) == line)
  }
}
