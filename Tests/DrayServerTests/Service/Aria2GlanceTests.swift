// Which jobs are answered from memory, and when no longer.

import DrayCore
import DrayStore
import Foundation
import Testing

@testable import DrayServer

@Suite struct Aria2GlanceTests {
  private static func job(_ id: JobID) throws -> Aria2Job {
    let url = try RequestURL.parse("http://host/\(id)").url
    let specification = JobSpecification(request: TransferRequest(url: url), directory: "/DIR")
    return Aria2Job(Job(id: id, uuid: UUID(), specification: specification, addedAt: 0), live: nil)
  }

  private enum Step {
    case keep(JobID, isWhole: Bool, until: Int)
    /// Keeps a job that was read before the last change.
    case keepOld(JobID)
    case change
  }

  /// The steps, the time, and the job that is found as a whole; 0 for none.
  private static let cases: [([Step], at: Int, JobID)] = [
    ([], 0, 0), ([.keep(1, isWhole: true, until: 20)], 19, 1), ([.keep(1, isWhole: true, until: 20)], 20, 0),
    ([.keep(1, isWhole: false, until: 20)], 0, 0), ([.keep(1, isWhole: true, until: 20), .change], 0, 0),
    ([.change, .keep(1, isWhole: true, until: 20)], 0, 1), ([.change, .keepOld(1)], 0, 0),
    ([.keep(1, isWhole: true, until: 20), .keep(2, isWhole: true, until: 30)], 25, 2),
    ([.keep(1, isWhole: true, until: 20), .change, .keepOld(2)], 0, 0),
  ]

  @Test(arguments: cases.indices)
  func validity(_ index: Int) throws {
    let (steps, time, expected) = Self.cases[index]
    let (glance, start) = (Aria2Glance(), ContinuousClock.now)
    let name = Aria2Glance.Name(gid: GID(uuid: "0123456789abcdef"), isWhole: true)
    for step in steps {
      switch step {
      case .keep(let id, let isWhole, let until):
        let name = Aria2Glance.Name(gid: name.gid, isWhole: isWhole)
        glance.keep(try Self.job(id), name, until: start + .seconds(until), after: glance.changes)
      case .keepOld(let id):
        glance.keep(try Self.job(id), name, until: start + .seconds(20), after: glance.changes - 1)
      case .change: glance.change()
      }
    }
    #expect(glance.job(name, now: start + .seconds(time))?.id ?? 0 == expected)
  }

  @Test("so many jobs are kept, and then others")
  func bounded() throws {
    let (glance, start) = (Aria2Glance(), ContinuousClock.now)
    let names = (0...Aria2Glance.most).map { number in
      Aria2Glance.Name(gid: GID(uuid: String(format: "%016x", number)), isWhole: true)
    }
    let job = try Self.job(1)
    for name in names { glance.keep(job, name, until: start + .seconds(1), after: 0) }
    #expect(names.filter { glance.job($0, now: start) != nil } == [names[Aria2Glance.most]])
  }

  @Test("a second question is answered from memory, until a call changes something")
  func asked() async throws {
    try await Aria2Fixture.use { fixture in
      let answers = RPCAnswers(context: Aria2Context(queue: fixture.queue)) { _ in true }
      let gid = try await fixture.add("/f", #""pause":"true""#)
      let call = RPCMessage(#"{"id":1,"method":"aria2.tellStatus","params":["\#(gid)"]}"#.utf8)
      var known: RPCAnswers.Answer?
      // The records stay valid for a moment only, and this test may not get the processor in time, so try repeatedly.
      for _ in 0..<1000 where known == nil {
        let told = await answers.answer(call)
        _ = await answers.answer(call)
        known = answers.known(call)
        if let known { #expect(known == told) }
      }
      #expect(known != nil)
      _ = try await fixture.text("unpause", #""\#(gid)""#)
      #expect(answers.known(call) == nil)
      #expect(try await fixture.status(gid) == "waiting")
    }
  }

  @Test("what needs a token is refused at once")
  func refused() {
    let answers = RPCAnswers(context: Aria2Context(queue: FakeQueue())) { token, _ in token == "T" }
    func known(_ parameters: String, _ method: String = "aria2.tellStatus") -> String? {
      let call = RPCMessage(#"{"id":1,"method":"\#(method)","params":[\#(parameters)]}"#.utf8)
      return answers.known(call).map { "\($0.status) " + String(decoding: $0.body, as: UTF8.self) }
    }
    #expect(known(#""0123456789abcdef""#)?.contains("Unauthorized") == true)
    #expect(known(#""token:T","0123456789abcdef""#) == nil)
    #expect(known(#""token:T","x""#)?.contains("Invalid GID x") == true)
    #expect(known(#""token:T""#, "aria2.tellActive") == nil)
  }
}
