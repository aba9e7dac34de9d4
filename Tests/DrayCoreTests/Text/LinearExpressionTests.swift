// The regular expressions of `feed --match`: matches, refusals, and cost.

import Testing

@testable import DrayCore

@Suite struct LinearExpressionTests {
  @Test(
    arguments: [
      ("b", "abc", true), ("d", "abc", false), ("", "", true), ("^abc$", "abc", true), ("^bc", "abc", false),
      ("ab$", "abc", false), ("a.c", "abc", true), ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true),
      ("colou?r", "the color", true), ("a*b", "b", true), ("a+b", "b", false), ("(ab)+c", "ababc", true),
      ("^(?:cat|dog)s?$", "dogs", true), ("^(cat|dog)s?$", "doggs", false), ("^(|a)$", "a", true),
      ("^(a|)$", "", true), ("a||b", "", true), ("^()$", "", true), ("^(a*)*$", "aaaa", true), ("^(a*)+$", "ab", false),
      ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false), ("^a{2,}$", "aaaa", true), ("^a{2,3}$", "aaaa", false),
      ("^a{,2}$", "aa", true), ("^a{0}$", "", true), ("^(ab){2,3}$", "ababab", true), ("a{x", "a{x", true),
      ("a{}", "a{}", true), ("a{,}", "a{,}", true), ("^a*?b+?$", "aabb", true),
      ("[abc]x", "cx", true), ("[^abc]x", "cx", false), ("[a-f0-9]+$", "beef7", true), ("[]x]", "]", true),
      ("[^]]", "]", false), ("[a-]", "-", true), ("[\\d-]+z", "1-2z", true), ("[[:alpha:]]+$", "é", true),
      ("[[:digit:][:space:]]", " ", true), ("[[:punct:]]", "a!", true), ("[\\]\\\\]", "\\", true),
      ("\\d{4}-\\d\\d", "on 2026-11-22", true), ("^\\w+$", "naïve_2", true), ("^\\w+$", "a b", false),
      ("\\Ss\\s", "as ", true), ("\\D", "12", false), ("\\bcat\\b", "a cat!", true), ("\\bcat\\b", "concat", false),
      ("\\Bcat", "concat", true), ("\\x41\\u00e9\\x{1F600}", "Aé😀", true), ("\\.\\*\\(\\)", ".*()", true),
      ("\\Aa", "ba", false), ("a\\z", "ab", false),
      ("(?i)interview", "An INTERVIEW", true), ("(?i:AN) i", "an i", true), ("(?i:AN) i", "an I", false),
      ("(?i)straße", "STRAẞE", true), ("((?i)a)b", "AB", false), ("(?i)a(?-i)b", "AB", false), ("(?i)[a-c]", "B", true),
      ("(?i)[^a]", "A", false), ("a|(?i)b", "B", true), ("(?<name>a)b", "ab", true), ("(?P<name>a)b", "ab", true),
      ("é", "cafe\u{301}", true), ("caf.$", "cafe\u{301}", true), ("e\u{301}", "é", true),
    ])
  func matches(_ expression: String, _ text: String, _ isMatch: Bool) throws {
    #expect(try LinearExpression.parse(expression).matches(text) == isMatch)
  }

  @Test(arguments: [
    ("news", "NEWS", true), ("NEWS", "news", true), ("[a-c]+", "ABC", true), ("(?-i)NEWS", "news", false),
    ("(?-i:NEWS)|talk", "TALK", true), ("\u{E9}", "\u{C9}", true),
  ])
  func caseDoesNotMatterWhereThatIsSaid(expression: String, text: String, isMatch: Bool) throws {
    #expect(try LinearExpression.parse(expression, ignoresCase: true).matches(text) == isMatch)
  }

  @Test(arguments: [
    "(", ")", "a)", "(a", "[a", "[", "*", "a**", "a*+", "+a", "|*", "(?", "(?x)", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)",
    "(?>a)",
    "(a)\\1", "\\", "\\q", "\\p{L}", "a{3,2}", "a{1001}", "a{99999999999999999999}", "[b-a]", "[\\d-z]", "[[:nope:]]",
    "((a{1000}){1000}){1000}", "\\x", "\\x{110000}", "\\ud800", "(?<n", "[a\\",
    String(repeating: "(", count: 5000) + String(repeating: ")", count: 5000), String(repeating: "a", count: 5000),
  ])
  func refuses(_ expression: String) throws {
    let error = #expect(throws: ExpressionError.self) { try LinearExpression.parse(expression) }
    let message = try #require(error?.message)
    #expect(!message.isEmpty && message.utf8.count < 200)
    #expect(TextSafety.escaped(message) == message)
  }

  /// P13: each scalar takes each step once at most, whatever was made to have a matcher go back.
  @Test(arguments: [
    "foo.*bar.*baz", "(a*)*b", "(a|a)*b", "(a?){30}a{30}", "(.*)*(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$",
  ])
  func costIsInProportion(_ text: String) throws {
    let expression = try LinearExpression.parse(text)
    for title in [
      String(repeating: "a", count: 4096), String(repeating: "foo bar ", count: 512),
      String(repeating: "foo ", count: 1024),
    ] {
      var work = 0
      _ = expression.matches(title, work: &work)
      #expect(work <= 2 * expression.steps.count * (title.unicodeScalars.count + 1))
    }
  }

  /// Compares all short expressions over a few characters with Swift's own.
  @Test func agreesWithSwift() throws {
    let atoms = ["a", "[^a]", "(ab?)", "a*", "b+", "(b|a*)?", "$", "a{1,2}"]
    let texts = ["", "a", "ba", "aab", "abab", "acb"]
    for one in atoms {
      for two in atoms {
        for expression in [one + two, "(\(one)|\(two))*b", "^(\(one)\(two)){2}$"] {
          let (mine, swift) = (try LinearExpression.parse(expression), try Regex(expression))
          for text in texts {
            #expect(mine.matches(text) == text.contains(swift), "\(expression) and \"\(text)\"")
          }
        }
      }
    }
  }
}
