// Which removed jobs can be brought back (P10).

import DrayCore
import Foundation
import Testing

@Suite struct UndoRuleTests {
  /// Columns: the method, whether it has a body, the state, the attempts, and a word of the objection.
  private static let jobs: [(String, Bool, JobState, Int, String?)] = [
    ("GET", false, .queued, 0, nil), ("GET", false, .interrupted, 3, nil), ("HEAD", false, .active, 1, nil),
    ("DELETE", false, .queued, 0, nil), ("DELETE", false, .paused, 0, nil), ("DELETE", false, .active, 0, "DELETE"),
    ("DELETE", false, .active, 1, "DELETE"), ("POST", false, .queued, 1, "POST"), ("POST", false, .paused, 1, "POST"),
    ("POST", false, .interrupted, 2, "POST"), ("POST", false, .complete, 1, nil), ("POST", false, .failed, 4, nil),
    ("POST", true, .queued, 0, "data"), ("PUT", true, .interrupted, 1, "data"), ("GET", true, .queued, 0, "data"),
    ("POST", true, .complete, 1, "data"),
  ]

  @Test(arguments: UndoRuleTests.jobs.indices)
  func objections(index: Int) throws {
    let (method, hasBody, state, attempts, word) = Self.jobs[index]
    var request = TransferRequest(url: try url("http://h/f"))
    request.method = method
    request.body = hasBody ? RequestBody(path: "/b", length: 1, contentType: nil) : nil
    let specification = JobSpecification(request: request, directory: "/d")
    var job = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    (job.state, job.attempts) = (state, attempts)
    let objection = UndoRule.objection(to: job)
    #expect((objection == nil) == (word == nil) && objection?.contains(word ?? "") != false, "\(objection ?? "none")")
  }
}
