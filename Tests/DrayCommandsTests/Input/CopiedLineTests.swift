// Lines of curl as browsers copy them for three shells.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Copied lines")
struct CopiedLineTests {
  private static let wanted = ["https://h/f?a=1&b=2", "-H", "accept: */*", "--data-raw", #"{"a":"x y"}"#]

  @Test(
    "one line, copied for sh, cmd and PowerShell",
    arguments: [
      "curl 'https://h/f?a=1&b=2' \\\n  -H 'accept: */*' \\\n  --data-raw $'{\"a\":\"x\\u0020y\"}'\n",
      "curl \"https://h/f?a=1&b=2\" -H accept:\\ */* --data-raw \"{\\\"a\\\":\\\"x y\\\"}\"",
      "curl ^\"https://h/f?a=1^&b=2^\" ^\r\n  -H ^\"accept: */*^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":^\\^\"x y^\\^\"^}^\"\r\n",
      "curl.exe \"https://h/f?a=1&b=2\" ^\r\n  -H \"accept: */*\" ^\r\n  --data-raw \"{\\\"a\\\":\\\"x y\\\"}\"",
      "curl.exe \"https://h/f?a=1&b=2\" `\r\n  -H \"accept: */*\" `\r\n  --data-raw '{\"a\":\"x y\"}'",
      "curl 'https://h/f?a=1&b=2' `\n  -H 'accept: */*' `\n  --data-raw \"{`\"a`\":\"\"x y\"\"}\"",
    ])
  func shells(_ text: String) throws {
    #expect(try CopiedLine.words(of: text) == Self.wanted)
  }

  @Test("a value with line ends, for cmd and for sh")
  func lineEnds() throws {
    #expect(
      try CopiedLine.words(of: "curl ^\"http://h/^\" --data-raw ^\"a^\n\nb^\"") == ["http://h/", "--data-raw", "a\nb"])
    #expect(
      try CopiedLine.words(of: "curl http://h/ --data-raw $'a\\nb\\'c'") == ["http://h/", "--data-raw", "a\nb'c"])
  }

  @Test(
    "escapes of sh",
    arguments: [
      ("\\u00fc\\x21\\t", "ü!\t"), ("\\ud83d\\ude00.", "😀."), ("\\ud83d", "\u{FFFD}"), ("\\q\\\\", "q\\"),
    ])
  func escapes(_ typed: String, _ meant: String) throws {
    #expect(try CopiedLine.words(of: "curl http://h/ -d $'\(typed)'") == ["http://h/", "-d", meant])
  }

  @Test("a quotation mark that is not closed", arguments: ["curl 'http://h/", "curl \"http://h/ `\n", "curl $'x"])
  func open(_ text: String) {
    let failure = #expect(throws: Failure.self) { try CopiedLine.words(of: text) }
    #expect(failure?.kind == .usage)
  }

  @Test("where a line is read from")
  func sources() throws {
    let input = Array("curl 'http://h/f' -H 'A: b'\n".utf8)
    func expanded(_ typed: [String]) throws -> [String] {
      try CopiedLine.expanded(typed) { () throws(Failure) in input }
    }
    let words = ["curl", "http://h/f", "-H", "A: b"]
    #expect(try expanded(["curl", "-"]) == words)
    #expect(try expanded(["curl", "curl 'http://h/f' -H 'A: b'"]) == words)
    #expect(try expanded(["curl", "^http://h/f^", "-H", "^A: b^", "^"]) == words)
    for typed in [["curl", "-o", "-", "http://h/f"], ["get", "-"], ["curl", "http://h/f^"], ["curl"]] {
      #expect(try expanded(typed) == typed)
    }
  }
}
