// Queues for blocking calls, and the threads that they mark.

import Dispatch
import DrayCore
import Testing
import Threads

@Suite("Blocking queues")
struct BlockingExecutorTests {
  @Test("only threads of a blocking executor may block")
  func marks() async throws {
    let executor = BlockingExecutor("dray.test")
    let outside = BlockingThread.isCurrent
    let inside = try await executor.run { () throws(Failure) in BlockingThread.isCurrent }
    let task = try await executor.run { () async throws(Failure) in BlockingThread.isCurrent }
    let waited = try executor.wait { () async throws(Failure) in BlockingThread.isCurrent }
    #expect(!outside && inside && task && waited)
  }

  @Test("a call stays on a thread that may block, and otherwise moves to the executor")
  func calls() async throws {
    let (executor, other) = (BlockingExecutor("dray.test"), BlockingExecutor("dray.other"))
    let key = DispatchSpecificKey<String>()
    for one in [executor, other] { one.queue.setSpecific(key: key, value: one.queue.label) }
    let name: @Sendable () throws(Failure) -> String? = { () throws(Failure) in DispatchQueue.getSpecific(key: key) }
    let outside = try await executor.call(name)
    let inside = try await other.run { () async throws(Failure) in try await executor.call(name) }
    #expect(outside == "dray.test" && inside == "dray.other")
    let failure = Failure(.file, "/f", "it is missing")
    let fails: @Sendable () throws(Failure) -> Int = { () throws(Failure) in throw failure }
    await #expect(throws: failure) { try await executor.call(fails) }
  }

  @Test("a failure comes back as a value")
  func failures() async {
    let executor = BlockingExecutor("dray.test")
    let failure = Failure(.file, "/f", "it is missing")
    let work: @Sendable () throws(Failure) -> Int = { () throws(Failure) in throw failure }
    let value = await executor.attemptRun(work)
    #expect(value == .failure(failure))
  }

  @Test("the steady clock never goes back, and the wall clock is past 2020")
  func clocks() {
    let first = SteadyClock.now()
    let second = SteadyClock.now()
    #expect(second >= first && WallClock.now() > 1_577_836_800)
  }
}
