// The reader of case files refuses empty and wrong declarations, with the line.

import FaultServer
import Foundation
import Testing

@Suite("Case reader")
struct CaseReaderTests {
  /// A valid case, line by line.
  private static let good = """
    row = "R1"
    why = "because"

    [serve."/f"]
    answers = [
      { hold = 1000, headers = ["X: {total}"] },
      {},
    ]

    [[step]]
    run = "dray get {main}/f"
    at = 1000
    stop = "INT"
    exit = 130

    [[step]]
    run = "dray get {main}/f"
    exit = [0, 7]

    [expect]
    files = { f = "v1" }
    state = "complete"

    [expect.requests]
    "/f" = [
      { status = 200 },
      { range = "bytes=1000-", if-range = '"v1"', status = 206 },
    ]
    """

  private static let goodEnd = String(good[(good.firstRange(of: "[expect]")?.lowerBound ?? good.endIndex)...])

  @Test("a case is read as written")
  func reads() throws {
    let faultCase = try CaseReader.read(Self.good, file: "x")
    #expect(faultCase.row == "R1" && faultCase.connections == 1)
    #expect(faultCase.serves.map(\.path) == ["/f"])
    #expect(faultCase.serves.first?.resource.script.count == 2)
    #expect(faultCase.steps.map(\.exits) == [[.code(130)], [.code(0), .code(7)]])
    #expect(faultCase.steps.map(\.line) == [10, 16])
    #expect(faultCase.steps.first?.run == "dray get none/f")
    #expect(faultCase.expect.files == ["f": .content(Version.named("v1", size: 1 << 20).content)])
    guard case .each(let patterns)? = faultCase.expect.asked.first?.requests else {
      Issue.record("no patterns")
      return
    }
    #expect(patterns.map(\.line) == [26, 27])
    #expect(patterns.last?.fields["range"] == "bytes=1000-")
    #expect(patterns.first?.fields.keys.contains("range") == true, "what is not told must be absent")
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let what: String
    let from: String
    let into: String
    let line: Int
    let says: String
    var testDescription: String { what }

    init(_ what: String, _ from: String, _ into: String, _ line: Int, _ says: String) {
      (self.what, self.from, self.into, self.line, self.says) = (what, from, into, line, says)
    }
  }

  static let mistakes: [Mistake] = [
    .init("no TOML", "row = ", "row ", 1, "not TOML"),
    .init("a key that there is not", "why = ", "reason = ", 1, "\"why\" is missing"),
    .init("a key too many", "why = \"because\"", "why = \"because\"\nwho = \"me\"", 3, "no such key"),
    .init("an unknown knob of an answer", "hold = 1000,", "hold = 1000, hlod = 1,", 6, "no such key"),
    .init("an unknown key of a step", "stop = ", "stopp = ", 10, "goes with"),
    .init("an unknown key of a request", "{ status = 200 }", "{ status = 200, rnge = \"x\" }", 26, "no such key"),
    .init("no expect", "[expect]", "[version.x]", 21, "no such key"),
    .init("nothing expected", goodEnd, "", 1, "\"expect\" is missing"),
    .init("no files", "files = ", "file = ", 20, "\"files\" is missing"),
    .init("not a state", "state = ", "stat = ", 20, "\"state\" is missing"),
    .init("a state that there is not", "\"complete\"", "\"done\"", 22, "queued, active"),
    .init("no exit", "exit = 130", "", 10, "\"exit\" is missing"),
    .init("an expectation that says nothing", "exit = 130", "exit = 130\nsays = \"\"", 15, "says nothing"),
    .init(
      "requests that say nothing", "/f\" = [\n  { status = 200 },", "/f\" = []\n\"/g\" = [", 25,
      "says nothing"),
    .init(
      "requests for what is not served", "\"/f\" = [\n  { status", "\"/x\" = [\n  { status", 25, "nothing is served"),
    .init("a word that there is not", "{main}/f\"\nat", "{mian}/f\"\nat", 11, "no word {mian}"),
    .init("a signal that there is not", "\"INT\"", "\"STOP\"", 13, "signals are"),
    .init("a hold that nobody waits for", "at = 1000\nstop = \"INT\"\n", "", 1, "is held"),
    .init("a moment for nothing", "stop = \"INT\"\n", "", 10, "goes with"),
    .init("a number for a text", "why = \"because\"", "why = 3", 2, "must be a text"),
    .init("a NUL", "\"because\"", "\"be\\u0000cause\"", 2, "cannot hold NUL"),
    .init("a path without slash", "serve.\"/f\"", "serve.\"f\"", 4, "begins with"),
    .init("bytes that nobody can name", "f = \"v1\"", "f = \"V 1\"", 21, "not a name of a version"),
  ]

  @Test("errors are reported with their line", arguments: mistakes)
  func refuses(_ mistake: Mistake) throws {
    let text = Self.good.replacing(mistake.from, with: mistake.into, maxReplacements: 1)
    #expect(text != Self.good)
    let error = #expect(throws: CaseError.self) { try CaseReader.read(text, file: "x.toml") }
    #expect(error?.line == mistake.line, "\(String(describing: error))")
    #expect(error?.reason.contains(mistake.says) == true, "\(String(describing: error))")
    #expect(error?.description.hasPrefix("x.toml:") == true)
  }

  @Test("lines are found after long strings, comments, dotted keys and tables of the same name")
  func lines() {
    let lines = CaseLines(
      """
      a = 1 # [not a table]
      text = '''
      [step]
      b = 2
      '''
      list = [
        # a comment
        { x = "]" },
        "y",
      ]
      "k.1".z = [1, 2]
      [[step]]
      run = 1
      [[step]]
      run = 2
      [serve."/f"]
      version = 3
      """)
    #expect(lines.line(["a"]) == 1)
    #expect(lines.line(["text"]) == 2)
    #expect(lines.line(["list", "0", "x"]) == 8)
    #expect(lines.line(["list", "1"]) == 9)
    #expect(lines.line(["k.1", "z", "1"]) == 11)
    #expect(lines.line(["step", "0", "run"]) == 13)
    #expect(lines.line(["step", "1", "run"]) == 15)
    #expect(lines.line(["serve", "/f", "version"]) == 17)
    #expect(lines.line(["nothing"]) == 1)
  }
}
