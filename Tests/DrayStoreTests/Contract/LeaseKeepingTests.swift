// A lease that must be renewed is renewed until its work ends, also after the store was away.

import DrayCore
import Foundation
import Synchronization
import Testing

@testable import DrayStore

@Suite struct LeaseKeepingTests {
  private final class ShortLease: RunnerLease {
    let runner = UUID()
    private let count = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    var renewals: Int { count.load(ordering: .relaxed) }
    var remaining: Double? { isOver.load(ordering: .relaxed) ? nil : 0.1 }

    func renew() async throws(Failure) -> LeaseRenewal {
      let number = count.wrappingAdd(1, ordering: .relaxed).newValue
      if number == 1 { throw Failure(.store, "test", "it is away", recovery: .wait) }
      if number == 3 { isOver.store(true, ordering: .relaxed) }
      return .kept
    }

    func show(_ board: RunnerBoard) async throws(Failure) {}
    func release() async {}
  }

  @Test("tries go on after a failure, and end with the need for them")
  func tries() async {
    let lease = ShortLease()
    await lease.keep()
    #expect(lease.renewals == 3)
  }

  @Test("nothing is renewed once the work is over")
  func cancelled() async {
    let lease = ShortLease()
    let task = Task { await lease.keep() }
    task.cancel()
    await task.value
    #expect(lease.renewals == 0)
  }
}
