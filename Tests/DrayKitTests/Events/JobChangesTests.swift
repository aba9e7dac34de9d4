// Changes of jobs in any process, as readers see them.

import DrayCore
import DrayKit
import DrayStore
import FaultServer
import Synchronization
import Testing

@Suite struct JobChangesTests {
  /// A running reader, and everything that it received.
  private final class Reader: Sendable {
    private let log = Mutex<[JobChange]>([])
    private let task: Task<Void, any Error>

    init(_ manager: DownloadManager, of ids: [JobID]? = nil) {
      let (begun, begin) = AsyncStream.makeStream(of: [JobChange].self)
      task = Task {
        for try await batch in manager.changes(of: ids).batches { begin.yield(batch.changes) }
      }
      Task { [self] in for await changes in begun { log.withLock { $0 += changes } } }
    }

    deinit { task.cancel() }

    /// The names of a job's events, without its progress.
    func story(_ id: JobID) -> [String] {
      log.withLock { log in
        log.filter { $0.id == id }.compactMap { change in
          if case .progress = change.kind { return nil }
          return "\(change.kind)".split(separator: "(").first.map(String.init)
        }
      }
    }

    /// Waits until a job's events are exactly these.
    func hasSeen(_ expected: [String], of id: JobID) async -> Bool { await eventually { self.story(id) == expected } }

    /// Waits until a job's last event has this name.
    func hasSeen(last name: String, of id: JobID) async -> Bool { await eventually { self.story(id).last == name } }

    func hasSeen(bytes: Int64, of id: JobID) async -> Bool { await eventually { self.progress(id) == bytes } }

    private func progress(_ id: JobID) -> Int64 {
      log.withLock { log in
        log.reduce(0) { most, change in
          if change.id == id, case .progress(let entry) = change.kind { max(most, entry.received) } else { most }
        }
      }
    }
  }

  @Test func everyReaderSeesAJobToItsEnd() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .named("v1", size: 300_000), [.held(by: gate, after: 200_000)])
      let other = try fixture.anotherManager()
      let readers = [Reader(fixture.manager), Reader(other), Reader(fixture.manager, of: [id])]
      for reader in readers { try #require(await reader.hasSeen(["present"], of: id)) }
      let run = try await Run(fixture.manager)
      for reader in readers { try #require(await reader.hasSeen(bytes: 200_000, of: id)) }
      let added = try await fixture.add("/g", .sample)
      gate.open()
      #expect(try await run.summary().complete == 2)
      for reader in readers {
        #expect(await reader.hasSeen(["present", "started", "answered", "complete"], of: id))
      }
      for reader in readers.prefix(2) {
        #expect(await reader.hasSeen(["added", "started", "answered", "complete"], of: added))
      }
      #expect(readers[2].story(added).isEmpty)
    }
  }

  @Test func whatEndedAndIsTriedAgainIsSeenOnceMore() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(404), .status(404)])
      let reader = Reader(fixture.manager)
      try #require(await reader.hasSeen(["present"], of: id))
      #expect(try await fixture.run().failed == 1)
      try #require(await reader.hasSeen(last: "failed", of: id))
      let before = reader.story(id).count
      _ = try await fixture.manager.retry([id])
      #expect(try await fixture.run().failed == 1)
      let isSeen = await eventually { reader.story(id).count > before + 2 && reader.story(id).last == "failed" }
      #expect(isSeen)
      #expect(Array(reader.story(id).dropFirst(before).prefix(2)) == ["queued", "started"])
      _ = try await fixture.manager.retry([id])
      try #require(await reader.hasSeen(last: "queued", of: id))
      _ = try await fixture.manager.remove([id])
      #expect(await reader.hasSeen(last: "removed", of: id))
    }
  }
}
