// Leases and boards: a runner lives as long as its lock, and its board is read whole or not at all.

import DrayCore
import Foundation
internal import Posix
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct RunnerTests {
  let state = TemporaryState()

  init() throws { try state.directory.create() }

  @Test func aliveAsLongAsItIsHeld() throws {
    let lease = try LeaseFile.acquire(in: state.directory)
    let other = try LeaseFile.acquire(in: state.directory)
    #expect(lease.runner != other.runner)
    #expect(LeaseFile.isAlive(lease.runner, in: state.directory))
    // The check does not disturb the lease.
    #expect(LeaseFile.isAlive(lease.runner, in: state.directory))
    #expect(Set(LeaseFile.living(in: state.directory)) == [lease.runner, other.runner])
    lease.release()
    #expect(!LeaseFile.isAlive(lease.runner, in: state.directory))
    #expect(LeaseFile.living(in: state.directory) == [other.runner])
  }

  @Test func endsWithItsOwner() throws {
    func name() throws -> UUID { try LeaseFile.acquire(in: state.directory).runner }
    #expect(!LeaseFile.isAlive(try name(), in: state.directory))
    #expect(System.names(in: state.directory.runnersPath).isEmpty)
  }

  @Test func fileThatNobodyLocksIsDead() throws {
    let dead = UUID()
    let path = LeaseFile.file(of: dead, in: state.directory)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(!LeaseFile.isAlive(dead, in: state.directory))
    let living = try LeaseFile.acquire(in: state.directory)
    LeaseFile.sweep(in: state.directory, keeping: [dead])
    #expect(FileManager.default.fileExists(atPath: path))
    LeaseFile.sweep(in: state.directory, keeping: [])
    #expect(System.names(in: state.directory.runnersPath) == [living.runner.uuidString])
    #expect(LeaseFile.isAlive(living.runner, in: state.directory))
  }

  @Test func deadOnesAreNamedUntilTheyAreForgotten() async throws {
    let store = try state.open()
    let living = try await store.acquireLease(named: "")
    let facts = RunnerFacts(name: "host:7", version: "0.1", since: 9)
    let entry = ProgressEntry(job: 1, received: 1, size: 2, rate: 3, phase: .receiving)
    try await living.show(RunnerBoard(entries: [entry, entry], runner: facts))
    let dead = UUID()
    let bytes = RunnerBoard(entries: [entry], runner: RunnerFacts(name: "host:8", version: "0.1", since: 9)).bytes
    try Data(bytes).write(to: URL(fileURLWithPath: LeaseFile.file(of: dead, in: state.directory)))
    let all = try await store.runners()
    #expect(all.map(\.name) == ["host:7", "host:8"] && all.map(\.isDead) == [false, true])
    // The jobs of a dead runner are no longer transferred.
    #expect(all.map(\.jobs) == [2, 0] && all.map(\.rate) == [6, 0])
    try await store.forgetDeadRunners()
    #expect(try await store.runners().map(\.name) == ["host:7"])
    await living.release()
  }

  @Test func startingWhileOthersSweepAndAsk() throws {
    let stop = Lines()
    let seen = Lines()
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      if thread > 0 {
        while stop.all.isEmpty {
          LeaseFile.sweep(in: state.directory, keeping: [])
          _ = LeaseFile.living(in: state.directory)
        }
        return
      }
      for _ in 0..<500 {
        do {
          let lease = try LeaseFile.acquire(in: state.directory)
          if !LeaseFile.isAlive(lease.runner, in: state.directory) { seen.append("looked dead") }
        } catch {
          seen.append("\(error)")
        }
      }
      stop.append("stop")
    }
    #expect(seen.all.isEmpty)
  }

  @Test func boardIsReadAsItWasShown() throws {
    let lease = try LeaseFile.acquire(in: state.directory)
    #expect(LeaseFile.board(of: lease.runner, in: state.directory)?.entries == nil)
    let long = RunnerBoard(
      overall: ProgressEntry(job: 0, received: 5, size: nil, rate: 10, phase: .receiving),
      entries: ProgressEntry.Phase.allCases.enumerated().map {
        ProgressEntry(job: JobID($0.offset + 1), received: 1 << 42, size: .max, rate: 1024, phase: $0.element)
      })
    let short = RunnerBoard(entries: [ProgressEntry(job: 9, received: 0, size: nil, rate: 0, phase: .waiting)]
    )
    let parts = FileParts(done: SegmentSet(0..<100), fetching: [100..<200, 200..<300])
    var divided = long
    (divided.entries[3].connections, divided.entries[3].parts) = (2, parts)
    var (named, both) = (long, divided)
    let facts = RunnerFacts(name: "one two:1", version: "0.1", since: 1_764_000_000)
    (named.runner, both.runner) = (facts, facts)
    // `long` and `divided` begin with the same bytes, so that stale parts would follow the board of `long` directly.
    for board in [
      long, divided, both, named, long, both, short, RunnerBoard(entries: [], runner: facts), divided, named, long,
    ] {
      try lease.show(board)
      #expect(LeaseFile.board(of: lease.runner, in: state.directory) == board)
      #expect(LeaseFile.board(of: lease.runner, in: state.directory)?.entries == board.entries)
    }
    lease.release()
    #expect(LeaseFile.board(of: lease.runner, in: state.directory)?.entries == nil)
    try lease.show(short)
  }

  @Test func partsOfAFormerBoardAreNotThoseOfALaterOne() {
    func board(_ received: Int64, _ connections: Int) -> RunnerBoard {
      RunnerBoard(entries: [
        ProgressEntry(
          job: 1, received: received, size: 9, rate: 3, phase: .receiving, connections: connections,
          parts: connections > 1 ? FileParts(done: SegmentSet(0..<1), fetching: [1..<5, 5..<9]) : nil)
      ])
    }
    let (former, later) = (board(1, 2).bytes, board(2, 1).bytes)
    #expect(RunnerBoard(former) == board(1, 2))
    #expect(RunnerBoard(later + former.dropFirst(later.count)) == board(2, 1))
    // Torn within the parts, the board is whole without them.
    #expect(RunnerBoard(Array(former.dropLast(2))) == board(1, 1))
  }

  @Test(arguments: ["", "5-3/", "0-5", "0-5/5-9,x", "0-5/5-9/", "a/b"])
  func badPartsAreNone(_ text: String) { #expect(FileParts(text) == nil) }

  @Test func partsAreReadAsTheyWereWritten() {
    for parts in [
      FileParts(done: SegmentSet(), fetching: []), FileParts(done: SegmentSet(0..<5), fetching: [5..<7, 7..<9]),
    ] {
      #expect(parts.text.flatMap { FileParts($0) } == parts)
    }
    let many = FileParts(done: SegmentSet(), fetching: Array(repeating: 0..<1, count: FileParts.mostReported + 1))
    #expect(many.text == nil)
  }

  @Test func tornBoardIsNoticed() throws {
    let one = RunnerBoard(
      entries: (1...50).map { .init(job: $0, received: 1, size: 2, rate: 3, phase: .receiving) })
    let two = RunnerBoard(
      entries: (1...50).map { .init(job: $0, received: 9, size: 2, rate: 3, phase: .receiving) })
    let old = one.bytes
    let new = two.bytes
    #expect(RunnerBoard(old) == one)
    #expect(old.count == new.count)
    for cut in 1..<new.count {
      let mixed = Array(new[..<cut] + old[cut...])
      // If the bytes at the cut are equal, either board is whole.
      #expect(mixed == new || mixed == old || RunnerBoard(mixed) == nil)
      // A cut before the last empty line leaves a whole board.
      #expect(cut == new.count - 1 || RunnerBoard(Array(new[..<cut])) == nil)
    }
    #expect(RunnerBoard(Array("garbage\n".utf8)) == nil)
  }

  @Test func readingWhileItIsWritten() throws {
    let lease = try LeaseFile.acquire(in: state.directory)
    let wrong = Lines()
    let stop = Lines()
    let full = Lines()
    try lease.show(RunnerBoard(entries: []))
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 {
        // The reader may get a core late.
        for number in 0..<200_000 where number < 2000 || full.all.isEmpty {
          let entries = (0..<(number % 120)).map {
            ProgressEntry(job: JobID($0 + 1), received: Int64(number), size: nil, rate: 0, phase: .receiving)
          }
          do { try lease.show(RunnerBoard(entries: entries)) } catch { wrong.append("\(error)") }
        }
        stop.append("stop")
        return
      }
      while stop.all.isEmpty {
        guard let entries = LeaseFile.board(of: lease.runner, in: state.directory)?.entries else {
          wrong.append("unreadable")
          continue
        }
        if !entries.isEmpty, full.all.isEmpty { full.append("full") }
        if Set(entries.map(\.received)).count > 1 { wrong.append("mixed") }
        if let first = entries.first, entries.count != Int(first.received) % 120 { wrong.append("cut") }
      }
    }
    #expect(wrong.all.isEmpty)
    #expect(!full.all.isEmpty, "no board with entries was read")
  }

  /// A process that cannot open the lease, for example without free descriptors, knows nothing about the other runner.
  @Test("P9 an unreadable lease does not count as dead")
  func unknownLease() throws {
    let state = TemporaryState()
    _ = try state.open()
    let runner = UUID()
    let path = LeaseFile.file(of: runner, in: state.directory)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    #expect(LeaseFile.isAlive(runner, in: state.directory))
    try FileManager.default.removeItem(atPath: path)
    #expect(!LeaseFile.isAlive(runner, in: state.directory))
  }
}
