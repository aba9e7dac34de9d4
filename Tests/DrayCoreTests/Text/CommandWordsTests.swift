// A command as words, without a shell.

import DrayCore
import Testing

@Suite("Command words")
struct CommandWordsTests {
  @Test(
    "words and quoting",
    arguments: [
      ("a", ["a"]), ("a b  c", ["a", "b", "c"]), (" a\tb\n", ["a", "b"]), ("a 'b c'", ["a", "b c"]),
      ("a \"b c\"", ["a", "b c"]), (#"a b\ c"#, ["a", "b c"]), (#"a "\"x\"""#, ["a", #""x""#]),
      (#"a "\n""#, ["a", #"\n"#]), (#"a '\n'"#, ["a", #"\n"#]), ("a ''", ["a", ""]), ("a b''c", ["a", "bc"]),
      ("a '$X | y'", ["a", "$X | y"]), ("~/bin/x ~ a~ '~'/y", ["/home/u/bin/x", "/home/u", "a~", "~/y"]),
      ("a b#c", ["a", "b#c"]), ("a \\\nb", ["a", "b"]), ("é \"ü x\"", ["é", "ü x"]),
    ] as [(String, [String])])
  func splits(_ text: String, _ words: [String]) throws {
    #expect(try CommandWords.split(text, home: "/home/u") == words)
  }

  @Test(
    "joined words split into the same words",
    arguments: [
      ["a"], ["a", "b c", ""], ["it's", "~/x", "$X", "a|b", "\"", "\\", "é", "#"], ["/bin/sh", "-c", "x; y\nz"],
    ])
  func joins(_ words: [String]) throws {
    #expect(try CommandWords.split(CommandWords.joined(words), home: "/home/u") == words)
  }

  @Test(
    "refusals with their reasons",
    arguments: [
      ("", "it is empty"), ("  ", "it is empty"), ("''", "empty"), ("a 'b", "not closed"), ("a \"b", "not closed"),
      ("a b\\", "ends in \\"), ("a | b", "without a shell"), ("a > f", "without a shell"), ("a $X", "without a shell"),
      ("a `b`", "without a shell"), ("a; b", "without a shell"), ("a #b", "comment"), ("a\0b", "NUL"),
    ])
  func refuses(_ text: String, _ word: String) {
    let error = #expect(throws: CommandWordsError.self) { try CommandWords.split(text) }
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test("without a home, ~ stays")
  func noHome() throws {
    #expect(try CommandWords.split("~/x") == ["~/x"])
  }
}
