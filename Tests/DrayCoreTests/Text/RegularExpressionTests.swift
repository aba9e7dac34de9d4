// The regular expressions of `feed --match`: what they find, and what is refused.

import Testing

@testable import DrayCore

@Suite struct RegularExpressionTests {
  @Test(
    arguments: [
      ("b", "abc", true), ("d", "abc", false), ("", "", true), ("^abc$", "abc", true), ("^bc", "abc", false),
      ("ab$", "abc", false), ("a.c", "abc", true), ("colou?r", "the color", true), ("a*b", "b", true),
      ("a+b", "b", false), ("(ab)+c", "ababc", true), ("^(cat|dog)s?$", "dogs", true),
      ("^(cat|dog)s?$", "doggs", false), ("^(a*)*$", "aaaa", true), ("^(a*)+$", "ab", false),
      ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false), ("^a{2,}$", "aaaa", true), ("^a{2,3}$", "aaaa", false),
      ("^(ab){2,3}$", "ababab", true), ("[abc]x", "cx", true), ("[^abc]x", "cx", false), ("[a-f0-9]+$", "beef7", true),
      ("[]x]", "]", true), ("[^]]", "]", false), ("[a-]", "-", true), ("[[:digit:][:space:]]", " ", true),
      ("[[:punct:]]", "a!", true), ("[0-9]{4}-[0-9][0-9]", "on 2026-11-22", true), ("^\\w+$", "a b", false),
      ("\\Ss\\s", "as ", true), ("\\bcat\\b", "a cat!", true), ("\\bcat\\b", "concat", false),
      ("\\Bcat", "concat", true), ("\\.\\*\\(\\)", ".*()", true), ("[.]mp3", "a.mp3", true),
      ("interview", "An INTERVIEW", true), ("INTERVIEW", "interview", true), ("[a-c]+z", "ABCZ", true),
      // Letters outside ASCII.
      ("Käse", "der KÄSE", true), ("straße", "STRAẞE", true), ("kä?se", "kse", true), ("^kä{2}se$", "kääse", true),
      ("k(ä|a)se", "KASE", true), ("k.*se", "käse", true), ("\\é", "É", true), ("^.$", "é", false),
    ])
  func matches(_ expression: String, _ text: String, _ isMatch: Bool) throws {
    #expect(try RegularExpression(expression).matches(text) == isMatch)
  }

  @Test(arguments: [
    "(", "(a", "[a", "[", "*", "+a", "(?", "(?i)a", "(?:a)", "(a)\\1", "\\", "\\q", "\\d", "\\p{L}", "a{3,2}",
    "a{99999999999999999999}", "[b-a]", "[\\d]", "[äa]", "[[:nope:]]", "[[.ä.]]", "a\0", "[\0]",
    "((a{1000}){1000}){1000}",
    String(repeating: "(", count: 5000) + String(repeating: ")", count: 5000), String(repeating: "a", count: 5000),
    String(repeating: "(a", count: 40) + String(repeating: ")+", count: 40), "a{1001}", "a{1000,}",
  ])
  func refuses(_ expression: String) throws {
    let error = #expect(throws: ExpressionError.self) { try RegularExpression(expression) }
    let message = try #require(error?.message)
    #expect(!message.isEmpty && message.utf8.count < 200)
    #expect(TextSafety.escaped(message) == message)
  }

  @Test func onlyTheFirstKibibyteCounts() throws {
    let expression = try RegularExpression("x")
    #expect(expression.matches(String(repeating: "a", count: 1023) + "x"))
    #expect(!expression.matches(String(repeating: "a", count: 1024) + "x"))
    #expect(!expression.matches(String(repeating: "é", count: 512) + "x"))
  }

  /// P13: none of these comes to an end in a matcher that goes back.
  @Test(arguments: [
    "foo.*bar.*baz", "(a*)*b", "(a|a)*b", "(a?){30}a{30}b", "(.*)*(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(\\w+\\s*){100}!",
  ])
  func hostileTextsComeToAnEnd(_ text: String) throws {
    let expression = try RegularExpression(text)
    for title in [String(repeating: "a", count: 4096), String(repeating: "foo gar ", count: 512)] {
      #expect(!expression.matches(title) || text.hasSuffix("$"))
    }
  }
}
