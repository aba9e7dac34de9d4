// Queues for blocking calls, and the threads that they mark.

import Dispatch
import DrayCore
import Testing
import Threads

@Suite("Blocking queues")
struct BlockingQueueTests {
  @Test("only threads of a blocking queue may block")
  func marks() async throws {
    let queue = BlockingExecutor("dray.test")
    let outside = BlockingThread.isCurrent
    let inside = try await queue.run { () throws(Failure) in BlockingThread.isCurrent }
    let task = try await queue.run { () async throws(Failure) in BlockingThread.isCurrent }
    let waited = try queue.wait { () async throws(Failure) in BlockingThread.isCurrent }
    #expect(!outside && inside && task && waited)
  }

  @Test("a call stays on a thread that may block, and otherwise moves to the queue")
  func calls() async throws {
    let (queue, other) = (BlockingExecutor("dray.test"), BlockingExecutor("dray.other"))
    let key = DispatchSpecificKey<String>()
    for one in [queue, other] { one.queue.setSpecific(key: key, value: one.queue.label) }
    let name: @Sendable () throws(Failure) -> String? = { () throws(Failure) in DispatchQueue.getSpecific(key: key) }
    let outside = try await queue.call(name)
    let inside = try await other.run { () async throws(Failure) in try await queue.call(name) }
    #expect(outside == "dray.test" && inside == "dray.other")
    let failure = Failure(.file, "/f", "it is missing")
    let fails: @Sendable () throws(Failure) -> Int = { () throws(Failure) in throw failure }
    await #expect(throws: failure) { try await queue.call(fails) }
  }

  @Test("a failure comes back as a value")
  func failures() async {
    let queue = BlockingExecutor("dray.test")
    let failure = Failure(.file, "/f", "it is missing")
    let work: @Sendable () throws(Failure) -> Int = { () throws(Failure) in throw failure }
    let value = await queue.attemptRun(work)
    #expect(value == .failure(failure))
  }

  @Test("the steady clock never goes back, and the wall clock is past 2020")
  func clocks() {
    let first = SteadyClock.now()
    let second = SteadyClock.now()
    #expect(second >= first && WallClock.now() > 1_577_836_800)
  }
}
