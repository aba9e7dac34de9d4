// A publisher whose runner loses its jobs: only files whose jobs the store completed are reported as published (P20).

import DrayCore
import DrayEngine
import DrayStore
import Foundation
import MemoryDestination
import StoreTesting
import Synchronization
import Testing

@testable import DrayKit

/// A lease that calls back before each rename, between the permit and the record of the end.
private final class WatchedLease: RunnerLease {
  let runner = UUID()
  private let terms = Atomic<Int>(0)
  private let callback = Mutex<(@Sendable () -> Void)?>(nil)

  var term: Int { terms.load(ordering: .acquiring) }

  var remaining: Double? {
    callback.withLock { $0.take() }?()
    return 30
  }

  /// Calls `body` once.
  func beforeRename(_ body: @escaping @Sendable () -> Void) { callback.withLock { $0 = body } }

  /// The lease ends, and begins again.
  func beginAgain() { terms.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  func show(_ board: RunnerBoard) async throws(Failure) {}
  func release() async {}
}

@Suite struct PublisherTests {
  /// A runner that holds jobs, and its publisher.
  private final class Fixture: Sendable {
    private let temporary: TemporaryStore
    var store: any JobStoring { temporary.store }
    let lease = WatchedLease()
    let publisher: Publisher
    let files = MemoryDestinations()["/d"]
    private let ended = Mutex<[JobID: PublishResult]>([:])

    init() throws {
      temporary = try TemporaryStore()
      publisher = Publisher("dray.publish", store: temporary.store, lease, syncs: false) { false }
    }

    /// The state of a published job.
    func state(of item: PublishItem) async throws -> JobState? { try await store.state(of: item.box.job.id) }

    /// Releases the jobs of the runner, on a thread that may block.
    func release() {
      let isDone = DispatchSemaphore(value: 0)
      Task {
        _ = try? await store.release(lease.runner)
        isDone.signal()
      }
      isDone.wait()
    }

    /// Claims a job, and makes its complete part.
    func item(_ name: String, check: DigestCheck? = nil) async throws -> PublishItem {
      let id = try await store.held(name, by: lease.runner)
      let job = try #require(try await store.job(id))
      let part = try files.createPart(job.partFileName)
      _ = try [UInt8](name.utf8).withUnsafeBytes { try part.write($0, at: 0, stayingInMemory: true) }
      return PublishItem(
        JobBox(job), Publication(part: part, size: Int64(name.utf8.count)), fileName: name, isNamed: true,
        facts: PublishFacts(), check: check)
    }

    func publish(_ item: PublishItem) {
      publisher.publish(item) { results in
        self.ended.withLock { ended in for one in results { ended[one.item.box.job.id] = one.result } }
      }
    }

    /// Returns why the bytes of a file were rejected; `nil` if they were not.
    func refusal(of item: PublishItem) async throws -> Failure? {
      try #require(await eventually { self.ended.withLock { $0[item.box.job.id] != nil } })
      guard case .mismatched(let failure) = ended.withLock({ $0[item.box.job.id] }) else { return nil }
      return failure
    }

    /// Returns the failure with which a job ended; `nil` if it was published.
    func failure(of item: PublishItem) async throws -> Failure? {
      try #require(await eventually { self.ended.withLock { $0[item.box.job.id] != nil } })
      guard case .failed(let failure) = ended.withLock({ $0[item.box.job.id] }) else { return nil }
      return failure
    }
  }

  @Test("a file is published")
  func published() async throws {
    let fixture = try Fixture()
    let item = try await fixture.item("a")
    fixture.publish(item)
    #expect(try await fixture.failure(of: item) == nil)
    #expect(try await fixture.state(of: item) == .complete)
  }

  @Test("a file that nobody has compared yet is compared first, and published only if it matches (P12)")
  func compared() async throws {
    let fixture = try Fixture()
    func check(_ text: String, offered: String? = nil) throws -> DigestCheck {
      try DigestCheck(
        binding: [SourcedDigest(DigestValue.parse(text), .given)],
        offered: offered.map { [SourcedDigest(try DigestValue.parse($0), DigestSource(rawValue: "Digest"))] } ?? [])
    }
    // The content of a file is its name.
    let right = try await fixture.item("a", check: check("md5=0cc175b9c0f1b6a831c399e269772661"))
    let wrong = try await fixture.item("b", check: check("md5=0cc175b9c0f1b6a831c399e269772661"))
    let doubted = try await fixture.item(
      "c", check: check("md5=4a8a08f09d37b73795649038408b5f33", offered: "md5=0cc175b9c0f1b6a831c399e269772661"))
    for item in [right, wrong, doubted] { fixture.publish(item) }
    for item in [right, doubted] {
      #expect(try await fixture.failure(of: item) == nil)
      #expect(try await fixture.state(of: item) == .complete)
    }
    let job = try #require(try await fixture.store.job(right.box.job.id))
    #expect(job.digest?.algorithm == .md5)
    let refusal = try await fixture.refusal(of: wrong)
    #expect(refusal?.kind == .integrity)
    #expect(try await fixture.state(of: wrong) == .active)
    #expect(try !fixture.files.exists("b"))
  }

  @Test("a job that is lost after its rename is not reported complete", arguments: [false, true])
  func lost(isGroupFollowed: Bool) async throws {
    let fixture = try Fixture()
    let item = try await fixture.item("a")
    let next = try await fixture.item("b")
    fixture.lease.beforeRename { [fixture] in
      fixture.release()
      // If another group follows, the store takes its intents and this end in one step.
      if isGroupFollowed { fixture.publish(next) }
    }
    fixture.publish(item)
    #expect(try await fixture.failure(of: item) == .leaseLost(item.box.job.id))
    if isGroupFollowed { #expect(try await fixture.failure(of: next) == .leaseLost(next.box.job.id)) }
    #expect(try await fixture.state(of: item) == .interrupted)
  }

  @Test("a permit of a lease that ended counts no more, even if the lease began again")
  func begunAgain() async throws {
    let fixture = try Fixture()
    let item = try await fixture.item("a")
    fixture.lease.beforeRename { [fixture] in fixture.lease.beginAgain() }
    fixture.publish(item)
    #expect(try await fixture.failure(of: item) == .leaseLost(item.box.job.id))
    #expect(fixture.files.targets.isEmpty)
  }
}
