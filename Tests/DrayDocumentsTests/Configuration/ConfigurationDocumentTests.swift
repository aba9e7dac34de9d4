// A configuration file as values with their lines.

import DrayDocuments
import Testing

@Suite("Configuration document")
struct ConfigurationDocumentTests {
  private func entries(_ text: String) throws -> [ConfigurationDocument.Entry] {
    try ConfigurationDocument.parse(text).entries
  }

  @Test("rules are several sections of one name, each with its line")
  func rules() throws {
    let document = try ConfigurationDocument.parse(
      """
      quiet = true
      [[rule]]
      host = "h"
      dir = "/x"

      [[rule]]
      name = ["*.iso"]
      [get]
      verbose = true
      """)
    let keys = document.entries.map { "\($0.section) \($0.key) \($0.line)" }
    #expect(
      keys == [
        "all quiet 1", "rule(0) host 3", "rule(0) dir 4", "rule(1) name 7", #"command(["get"]) verbose 9"#,
      ])
    let second = document.headings.first { $0.section == .rule(1) }
    #expect(second?.line == 6)
    let inline = try ConfigurationDocument.parse("rule = [{ host = 'h' }, { host = 'i' }]\n").entries
    let (sections, lines) = (inline.map(\.section), inline.map(\.line))
    #expect(sections == [.rule(0), .rule(1)])
    #expect(lines == [1, 1])
  }

  @Test("what is no array of tables is a value, and so refused later", arguments: ["[]", "[1]", "[{ host = 'h' }, 1]"])
  func noRules(value: String) throws {
    let document = try ConfigurationDocument.parse("rule = \(value)\n")
    #expect(document.entries.map(\.section) == [.all])
    #expect(document.entries.map(\.key) == ["rule"])
    #expect(document.headings == [])
  }

  @Test("sections, kinds of values, and lines")
  func all() throws {
    let text = """
      # comment
      limit-rate = "500k"
      retries = 3 # three
      "quiet" = true
      header = [
        "A: 1", # one
        'B: [2]',
      ]
      note = \"\"\"
      x = 1
      [get]
      \"\"\"

      [get]
      progress = 'plain'
      wait.more = 1.5
      [host."*.example.org"]
      user = "a\\"b"
      [host.plain.example]
      insecure = false
      when = 2020-01-01
      """
    let found = try entries(text)
    func entry(
      _ section: ConfigurationDocument.Section, _ key: String, _ value: ConfigurationDocument.Value, _ line: Int
    ) -> ConfigurationDocument.Entry { .init(section: section, key: key, value: value, line: line) }
    let expected = [
      entry(.all, "limit-rate", .string("500k"), 2), entry(.all, "retries", .integer(3), 3),
      entry(.all, "quiet", .boolean(true), 4),
      entry(.all, "header", .array([.string("A: 1"), .string("B: [2]")]), 5),
      entry(.all, "note", .string("x = 1\n[get]\n"), 9), entry(.command(["get"]), "progress", .string("plain"), 15),
      entry(.command(["get", "wait"]), "more", .float(1.5), 16),
      entry(.host("*.example.org"), "user", .string("a\"b"), 18),
      entry(.host("plain.example"), "insecure", .boolean(false), 20),
      entry(.host("plain.example"), "when", .other("a date"), 21),
    ]
    #expect(found == expected)
  }

  @Test(
    "errors in TOML have a line and a column",
    arguments: [("a = 1\nb = \n", 2), ("a = 1\na = 2\n", 2), ("[get\n", 1), ("x\n", 1), ("a = \"b\n", 1)])
  func broken(_ text: String, _ line: Int) {
    let error = #expect(throws: DocumentError.self) { try ConfigurationDocument.parse(text) }
    #expect(error?.line == line && error?.reason.contains("column") == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("an empty file is one without keys; a byte order mark and CR LF do no harm")
  func edges() throws {
    #expect(try entries("").isEmpty)
    #expect(try entries("\u{FEFF}a = 1\r\nb = 2\r\n").map(\.line) == [1, 2])
    #expect(try ConfigurationDocument.parse("[host.x]\n").headings.map(\.line) == [1])
  }
}
