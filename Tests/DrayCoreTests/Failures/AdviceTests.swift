// Advice: words with references, shown with the names of a front end, kept as a text.

import DrayCore
import Foundation
import Testing

@Suite("Advice")
struct AdviceTests {
  private static let names = Advice.Names(
    action: { action, argument in "<\(action.rawValue)\(argument.map { " of \($0)" } ?? "")>" },
    setting: { "[\($0.rawValue)]" })

  @Test(
    "references become the names of the front end",
    arguments: [
      ("check it", "check it", "check it"),
      (
        "\(.run) goes on; \(.stallTimeout) sets the limit", "<run> goes on; [stallTimeout] sets the limit",
        "another run goes on; the stall timeout sets the limit"
      ),
      ("\(.retry, 7) tries \("it") again", "<retry of 7> tries it again", "a retry of job 7 tries it again"),
      ("a {brace} and {run} are words", "a {brace} and {run} are words", "a {brace} and {run} are words"),
      ("\("{run}") is text of a server", "{run} is text of a server", "{run} is text of a server"),
      (
        "\(.clean, at: "/a {b}/c d") removes it", "<clean of /a {b}/c d> removes it",
        "cleaning up the part files in /a {b}/c d removes it"
      ),
      (
        "\(.clean, at: "}") \(.clean, at: "{{run}") x", "<clean of }> <clean of {{run}> x",
        "cleaning up the part files in } cleaning up the part files in {{run} x"
      ),
      ("a { b } c {", "a { b } c {", "a { b } c {"),
      ("" as Advice + "a" + "\(.run)", "a<run>", "aanother run"),
    ] as [(Advice, String, String)])
  func shown(_ advice: Advice, _ named: String, _ plain: String) throws {
    #expect(advice.text(Self.names) == named)
    #expect("\(advice)" == plain)
    #expect(try JSONDecoder().decode([Advice].self, from: JSONEncoder().encode([advice])) == [advice])
  }

  @Test("every reference has a unique name in plain words")
  func plain() {
    let actions = Advice.Action.allCases.map { "\("\($0)" as Advice)" }
    let settings = Advice.Parameter.allCases.map { "\("\($0)" as Advice)" }
    #expect(Set(actions + settings).count == actions.count + settings.count)
    for words in actions + settings {
      #expect(!words.isEmpty && !words.contains(where: { "{}`-".contains($0) }), "\(words)")
    }
  }

  @Test(
    "advice stored by an older or newer dray is shown unchanged",
    arguments: [
      (#""`dray run` continues""#, "`dray run` continues"), (#""{warp 9} continues""#, "{warp 9} continues"),
      (#""{run""#, "{run"), (#""}""#, "}"), (#""{{a}} {}""#, "{a} {}"),
    ])
  func stored(_ json: String, _ shown: String) throws {
    let advice = try JSONDecoder().decode(Advice.self, from: Data(json.utf8))
    #expect(advice.text(Self.names) == shown)
  }

  @Test(
    "advice names the job, or omits the parts about a job",
    arguments: [
      ("\(.retry) tries again", "\(.retry, 7) tries again", nil),
      ("check the URL; \(.setURL) goes on", "check the URL; \(.setURL, 7) goes on", "check the URL"),
      ("\(.setURL); else check the name", "\(.setURL, 7); else check the name", "check the name"),
      ("make room, then \(.run) continues", "make room, then \(.run) continues", nil),
      ("\(.info) shows the answer", "\(.info) shows the answer", "\(.info) shows the answer"),
      ("\(.resume, 3) continues", "\(.resume, 3) continues", nil),
    ] as [(Advice, Advice, Advice?)])
  func ofJob(_ advice: Advice, _ named: Advice, _ alone: Advice?) {
    let failure = Failure(.network, "http://h/f", "it failed", advice: advice)
    #expect(failure.naming(7).advice == named)
    #expect(failure.ofNoJob.advice == alone)
    #expect("\(failure)" == "http://h/f: it failed")
    #expect(failure.message(Self.names) == "http://h/f: it failed; " + advice.text(Self.names))
  }
}
