// When a hook may begin: once the end of its job is on disk, and was not undone by a crash of the database.

import DrayCore
import Foundation
import Testing

@testable import DrayKit

@Suite("when a hook begins")
struct HookTimingTests {
  /// Columns: the state as it is stored, how many attempts more than at the end, whether the end was undone.
  static let rows: [(JobState, Int, Bool)] = [
    (.complete, 0, false), (.failed, 0, false), (.active, 0, true),
    // Another attempt has begun since, so the end stands.
    (.active, 1, false), (.queued, 0, false), (.paused, 0, false), (.interrupted, 0, false), (.complete, 1, false),
  ]

  @Test("an end that is active again by the same attempt was undone", arguments: rows)
  func undone(_ state: JobState, _ more: Int, _ isUndone: Bool) throws {
    let request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    let specification = JobSpecification(request: request, directory: "/d")
    var ended = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    ended.attempts = 2
    var stored = ended
    (stored.state, stored.attempts) = (state, 2 + more)
    #expect(HookRunner.isUndone(stored, after: ended) == isUndone)
  }
}
