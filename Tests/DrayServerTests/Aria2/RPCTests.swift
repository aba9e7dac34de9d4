// Hostile or very long messages: answers are bounded, and nothing is left half done.

import DrayCore
import DrayKit
import Foundation
import Testing
import Threads

@testable import DrayServer
@testable import DrayStore

@Suite struct RPCTests {
  private static func answers(_ queue: FakeQueue = FakeQueue(slots: 0)) -> RPCAnswers {
    RPCAnswers(context: Aria2Context(queue: queue)) { _ in true }
  }

  private static func answer(_ text: String) async -> String {
    String(decoding: await answers().answer(RPCMessage(text.utf8)).body, as: UTF8.self)
  }

  @Test("a long list is made off the server's thread, a short one on it")
  func longLists() async {
    let context = BlockingExecutor("test.desk")
    let (short, long) = await withTaskExecutorPreference(context) {
      let short = await LongWork.run(LongWork.few) { BlockingThread.isCurrent }
      return (short, await LongWork.run(LongWork.few + 1) { BlockingThread.isCurrent })
    }
    #expect(short && !long)
  }

  private static let parseError = #"{"id":null,"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error."}}"#
  private static let badRequest = #"{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#

  /// Texts as the repeated piece, the count, and the rest.
  @Test(
    arguments: [
      ("[", 100_000, "", parseError), (#"{"a":"#, 100_000, "", parseError), ("-", 100_000, "", parseError),
      (#"{"id":[["#, 50_000, "", parseError), ("1e", 1, "", parseError), ("\u{0}", 1, "", parseError),
      (#"{"id":1,"method":"aria2.tellStopped","params":[0,1"#, 1, "", parseError),
      ("[1", 1, String(repeating: ",1", count: 100_000) + "]", badRequest),
      ("[1", 1, String(repeating: ",1", count: 10_000) + "]", "[]"),
    ] as [(String, Int, String, String)])
  func nonsense(_ text: String, _ count: Int, _ end: String, _ answer: String) async {
    #expect(await Self.answer(String(repeating: text, count: count) + end) == answer)
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "99999999999999999999999999", "1e400", "-0", "0.1",
  ])
  func numbersAsOffset(_ number: String) async throws {
    let calls = [
      #"{"id":1,"method":"aria2.tellWaiting","params":[\#(number),1]}"#,
      #"{"id":1,"method":"aria2.tellStopped","params":[-1,\#(number)]}"#,
      #"{"id":1,"method":"aria2.changePosition","params":["00000000fa4e0001",\#(number),"POS_CUR"]}"#,
      #"{"id":1,"method":"aria2.addUri","params":[["http://host/f"],{},\#(number)]}"#,
      #"{"id":1,"method":"aria2.changeUri","params":["00000000fa4e0001",\#(number),[],[],\#(number)]}"#,
    ]
    let queue = FakeQueue(slots: 0)
    let answers = Self.answers(queue)
    _ = await answers.answer(RPCMessage(#"{"id":1,"method":"aria2.addUri","params":[["http://host/f"]]}"#.utf8))
    for call in calls {
      let body = await answers.answer(RPCMessage(call.utf8)).body
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(body)) }
    }
  }

  @Test func thousandsOfCalls() async throws {
    let queue = FakeQueue(slots: 0)
    let calls = (0..<5000).map { #"{"methodName":"aria2.addUri","params":[["http://host/\#($0)"]]}"# }
    let text = #"{"id":1,"method":"system.multicall","params":[[\#(calls.joined(separator: ","))]]}"#
    let answer = await Self.answers(queue).answer(RPCMessage(text.utf8))
    #expect(answer.status == 200)
    #expect(await queue.ids(.waiting).count == 5000)
    #expect(await queue.steps == 5)
  }

  /// One step, except for calls that choose a place or a GID; a call that fails does not stop the others.
  @Test func neighboursThatAddAreOneStep() async throws {
    let queue = FakeQueue(slots: 0)
    let answers = RPCAnswers(context: Aria2Context(queue: queue)) { $0 == "t" }
    let calls = [
      #"["token:t",["http://host/1"]]"#, #"["token:t",["nonsense"]]"#, #"["token:no",["http://host/2"]]"#,
      #"["token:t",["http://host/3"],{"split":"0"}]"#, #"["token:t",["http://host/4"],{"out":"x"}]"#,
      #"["token:t",["http://host/5"],{"gid":"00000000000000aa"}]"#, #"["token:t",["http://host/6"],{},0]"#,
      #"["token:t",["http://host/7"]]"#,
    ].map { #"{"id":1,"method":"aria2.addUri","params":\#($0)}"# }
    let answer = await answers.answer(RPCMessage("[\(calls.joined(separator: ","))]".utf8))
    let all = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
    #expect(all.map { $0["error"] == nil } == [true, false, false, false, true, true, true, true])
    #expect((all[2]["error"] as? [String: Any])?["message"] as? String == "Unauthorized")
    #expect(await queue.steps == 4)
    let urls = await queue.jobs(queue.ids(.waiting), isWhole: true).map { $0.urls.first?.last }
    #expect(urls == ["6", "1", "4", "5", "7"])
  }

  @Test func answersAreBounded() async throws {
    let queue = FakeQueue(slots: 0)
    var answers = Self.answers(queue)
    answers.mostBytes = 1 << 20
    let long = String(repeating: "x", count: 60_000)
    _ = await answers.answer(RPCMessage(#"{"id":1,"method":"aria2.addUri","params":[["http://host/\#(long)"]]}"#.utf8))
    let call = #"{"id":1,"method":"aria2.tellWaiting","params":[0,10,["files"]]}"#
    let batch = "[" + Array(repeating: call, count: 100).joined(separator: ",") + "]"
    let body = await answers.answer(RPCMessage(batch.utf8)).body
    #expect(body.count < 2 << 20)
    #expect(String(decoding: body.suffix(200), as: UTF8.self).contains("Not carried out"))
  }

  /// Jobs that the queue refuses to change in one step are changed one by one.
  @Test func oneThatIsRefusedKeepsNoneFromBeingAdded() async throws {
    let queue = FakeQueue(slots: 0)
    let calls = ["a", "taken", "b"].map { #"{"id":1,"method":"aria2.addUri","params":[["http://host/\#($0)"]]}"# }
    let body = await Self.answers(queue).answer(RPCMessage("[\(calls.joined(separator: ","))]".utf8)).body
    let all = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]])
    #expect(all.map { $0["error"] == nil } == [true, false, true])
    #expect((all[1]["error"] as? [String: Any])?["message"] as? String == "/DIR/taken: it is taken")
    #expect(await queue.ids(.waiting).count == 2)
  }

  /// Jobs that the queue refuses are left out, and the others are added in one more step.
  @Test(arguments: [
    (["a", "b", "c"], 1), (["a", "barred-here", "b"], 2), (["barred-here", "barred-here", "b"], 2),
    (["barred-here", "barred-here"], 1), (["a", "barred-here", "taken", "b"], 5),
  ])
  func objections(names: [String], steps: Int) async throws {
    let queue = FakeQueue(slots: 0)
    let calls = names.map { #"{"id":1,"method":"aria2.addUri","params":[["http://host/\#($0)"]]}"# }
    let body = await Self.answers(queue).answer(RPCMessage("[\(calls.joined(separator: ","))]".utf8)).body
    let all = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]])
    #expect(all.map { $0["error"] == nil } == names.map { $0.count == 1 })
    #expect(await queue.steps == steps)
  }

  @Test func outcomesKeepTheirPlaces() {
    func text(_ known: [String?], _ others: [String]) -> [String] {
      let outcomes = Aria2Adding.filled(
        known.map { $0.map { .success(.string($0)) } }, with: others.map { .success(.string($0)) })
      return outcomes.map { outcome in
        if case .success(.string(let text)) = outcome { text } else { "!" }
      }
    }
    #expect(text([], []).isEmpty)
    #expect(text([nil, "a", nil], ["b", "c"]) == ["b", "a", "c"])
    #expect(text(["a", nil, nil], ["b"]) == ["a", "b", "!"])
  }

  @Test func aMissingTokenIsTold() async {
    let answers = RPCAnswers(context: Aria2Context(queue: FakeQueue())) { $0 == "s3cret" }
    let call = #"{"methodName":"aria2.getVersion","params":["token:x"]}"#
    let texts = [
      #"{"id":1,"method":"aria2.getVersion"}"#, #"[{"id":1,"method":"aria2.getVersion"}]"#,
      #"{"id":1,"method":"system.multicall","params":[[\#(call)]]}"#,
    ]
    func said(_ text: String) async -> String {
      String(decoding: await answers.answer(RPCMessage(text.utf8)).body, as: UTF8.self)
    }
    for text in texts {
      let answer = await said(text)
      #expect(answer.contains("Unauthorized"))
    }
    let open = await said(#"{"id":1,"method":"system.listMethods"}"#)
    #expect(!open.contains("Unauthorized"))
  }
}
