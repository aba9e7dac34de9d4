// Tests of a fleet beyond the common contract: stale holders, claims of many runners, claims past dead rows.

import DrayCore
import Foundation
import Postgres
import PostgresServer
import StoreTesting
import Synchronization
import TestSupport
import Testing
import Threads

@testable import DrayStore

@Suite("PostgreSQL: claims and fences", .needs(.postgres), .serialized)
struct FleetClaimTests {
  @Test("P20 of a thousand writes by holders whose leases are over, a thousand are refused")
  func staleWrites() async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    let ids = try await one.add(
      (0..<100).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil
    ).map(\.id)
    let stale = try await one.acquireLease(named: "stale")
    #expect(try await one.claim(stale.runner, limit: 100).count == 100)
    // As if its machine had been suspended: the lease ends in the database, but not in this process.
    try database.sql("UPDATE runners SET lease_until = now() - interval '1 s'")
    #expect(try await other.deadRunners(among: [stale.runner]) == [stale.runner])
    #expect(try await other.applyCommands(ofDeadRunners: [stale.runner], removing: []).count == 100)
    #expect(try await other.requeueAbandoned(scope: .all).count == 100)
    let holder = UUID()
    #expect(try await other.claim(holder, limit: 100).count == 100)
    let before = try await other.jobs(ids: ids)

    let response = ResponseRecord(
      finalURL: try url("http://h/a"), redirects: [], head: ResponseHead(status: 200, fields: []), time: 5)
    let checkpoint = Checkpoint(segments: SegmentSet(0..<10), size: 20)
    let naming = TargetNaming(directory: "/d", policy: .fail, taken: [])
    var refused = 0
    for id in ids {
      let runner = stale.runner
      let intent = PublishIntent(
        id: id, identity: Finished.sample(id).published, fileName: "n\(id)", naming: naming)
      let writes: [() async throws -> Bool] = [
        { try await one.recordResponse(id, runner: runner, response, size: 1) },
        { try await !one.checkpoint([(id, checkpoint)], since: [:], expecting: [], runner: runner).isEmpty },
        { try await one.forgetCheckpoint(id, runner: runner, note: "x") },
        { try await one.beginSubmission(id, runner: runner, now: 3) },
        {
          try await one.fixName(
            id, runner: runner, directory: "/d", name: "n", policy: .fail, taken: []) != nil
        },
        {
          try await one.beginPublishing([intent], after: [.sample(id)], runner: runner, now: 3, isDurable: true)
            != PublishStart(permits: [.lost])
        },
        { try await !one.finish([.sample(id)], runner: runner, now: 3).isEmpty },
        { try await one.endAttempt(id, runner, as: .failed) },
        {
          try await one.requeue(
            id, runner: runner, notBefore: nil, now: 3, retry: RetryRecord(), failure: nil, attempt: nil, pending: .drop
          )
        },
        { try await one.removeOwned(id, runner: runner, isMet: true) },
      ]
      // On a loaded machine, the lease may end here, too, before the last of these writes.
      for write in writes {
        do { refused += try await write() ? 0 : 1 } catch let failure as Failure where failure.isStoreAway {
          refused += 1
        }
      }
    }
    #expect(refused == 1000)
    #expect(try await other.jobs(ids: ids) == before)
    await stale.release()
  }

  @Test("P20 a late end of a former claim changes nothing of a later claim by the same runner")
  func formerClaims() async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    let id = try await one.add("a")[0]
    let lease = try await one.acquireLease(named: "r")
    _ = try await one.claim(lease.runner)
    let former = one.held.condition(id, lease.runner)
    try database.sql("UPDATE runners SET lease_until = now() - interval '1 s'")
    #expect(try await lease.renew() == .begun)
    #expect(try await other.job(id)?.state == .interrupted)
    _ = try await one.requeueAbandoned(scope: .all)
    #expect(try await one.claim(lease.runner).map(\.id) == [id])
    let isChanged = try await one.write(.durable) { db in
      try db.change(Assignments("state = 'failed', runner = NULL"), where: former) == 1
    }
    #expect(!isChanged)
    _ = try await one.finish([.sample(id)], runner: lease.runner, now: 3)
    #expect(try await other.job(id)?.state == .complete)
    await lease.release()
  }

  @Test("a machine whose clock is a little behind leaves the holds of the others")
  func clocksApart() async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    try await one.hold(OriginHold(try url("http://a/").origin, until: 500, since: 100))
    try await other.hold(OriginHold(try url("http://b/").origin, until: 500, since: 99.5))
    #expect(try await one.holds(now: 101).map(\.origin) == ["http://a", "http://b"])
    // A clock that was set back far makes the holds void.
    try await one.hold(OriginHold(try url("http://c/").origin, until: 60, since: 10))
    #expect(try await one.holds(now: 101).isEmpty)
    #expect(try await one.holds(now: 20).map(\.origin) == ["http://c"])
  }

  @Test("a renewal without an answer gives up while the lease holds, and the next one is in time")
  func hangingRenewal() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    let lease = try await store.acquireLease(named: "r")
    let blocker = try PostgresConnection(PostgresConfiguration(database.address))
    try blocker.script("BEGIN; SELECT 1 FROM dray.runners FOR UPDATE")
    let failure = await #expect(throws: Failure.self) { try await lease.renew() }
    #expect(failure?.isStoreAway == true)
    #expect(try #require(lease.remaining) > LeaseRule.margin)
    blocker.close()
    #expect(try await lease.renew() == .kept)
    await lease.release()
  }

  @Test("a lease goes on while it is renewed, and begins again once it is over")
  func renewal() async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    let lease = try await one.acquireLease(named: "north-1")
    let rest = try #require(lease.remaining)
    #expect(rest > 20 && rest <= FleetLease.length)
    #expect(try await lease.renew() == .kept)
    #expect(try await other.runnerRecords().map(\.name) == ["north-1"])
    let id = try await one.add("a")[0]
    _ = try await one.claim(lease.runner)
    try database.sql("UPDATE runners SET lease_until = now() - interval '1 s'")
    #expect(try await other.livingRunners().isEmpty)
    // A dead runner is remembered for an hour, unless its lease begins again.
    try await lease.show(RunnerBoard(entries: [], runner: RunnerFacts(name: "north-1", version: "9", since: 5)))
    try await other.forgetDeadRunners()
    let dead = try #require(try await other.runners().first)
    #expect(dead.isDead && dead.name == "north-1" && dead.version == "9" && dead.since == 5)
    #expect(try await lease.renew() == .begun)
    #expect(try await other.runners().map(\.isDead) == [false])
    #expect(try await other.livingRunners() == [lease.runner])
    #expect(try await one.states(of: [id]) == [id: .interrupted])
    await lease.release()
    #expect(lease.remaining == 0)
    #expect(try await other.livingRunners().isEmpty)
  }

  @Test("a runner that died more than an hour ago is forgotten")
  func forgotten() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    let lease = try await store.acquireLease(named: "north-1")
    for (age, isKnown) in [("59 min", true), ("61 min", false)] {
      try database.sql("UPDATE runners SET lease_until = now() - interval '\(age)'")
      try await store.forgetDeadRunners()
      #expect(try await store.deadRunnerRecords().map(\.runner) == (isKnown ? [lease.runner] : []))
    }
  }

  @Test("P20 who claims a job learns whether its last owner may still write", arguments: LastOwner.allCases)
  func lastOwners(owner: LastOwner) async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    let id = try await one.add("a")[0]
    let lease = try await one.acquireLease(named: "r")
    _ = try await one.claim(lease.runner)
    #expect(try await one.recordPart(id, runner: lease.runner, PartGeneration(7)))
    #expect(try await !one.recordPart(id, runner: UUID(), PartGeneration(8)))
    switch owner {
    case .handsBack:
      let stop = JobStop(.interrupted, Failure(.network, "a", "cut", recovery: .retry))
      _ = try await one.endAttempt(id, runner: lease.runner, stop, now: 2, attempt: nil, pending: .drop)
    case .leavesUnfinished: _ = try await one.release(lease.runner)
    case .expires, .isGone:
      try database.sql("UPDATE runners SET lease_until = now() - interval '1 s'")
      // No process has this number.
      if owner == .isGone {
        try database.sql("UPDATE runners SET process = regexp_replace(process, '[0-9]+ ([0-9]+)$', '4194305 \\1')")
      }
      _ = try await other.applyCommands(ofDeadRunners: [lease.runner], removing: [])
    case .returns:
      try database.sql("UPDATE runners SET lease_until = now() - interval '1 s'")
      #expect(try await lease.renew() == .begun)
    }
    _ = try await other.requeueInterrupted(scope: .all, now: 3)
    // POSIX has no call for the start time of a process, so a build with POSIX calls only cannot rule out a live owner.
    let mayWrite = owner != .handsBack && (owner != .isGone || ProcessMark.own == nil)
    #expect(try await other.claim(UUID(), limit: 1).map(\.part) == [PartGeneration(7, isLost: mayWrite)])
    await lease.release()
  }

  enum LastOwner: CaseIterable { case handsBack, leavesUnfinished, expires, isGone, returns }

  @Test("recovery leaves a runner alone whose lease goes on", arguments: [true, false])
  func recoveryOfTheLiving(lives: Bool) async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    _ = try await one.add("a")
    let lease = try await one.acquireLease(named: "r")
    _ = try await one.claim(lease.runner)
    if !lives { try database.sql("UPDATE runners SET lease_until = now() - interval '1 s'") }
    let recovered = try await other.applyCommands(ofDeadRunners: [lease.runner], removing: [])
    #expect(recovered.count == (lives ? 0 : 1))
    await lease.release()
  }

  @Test(
    "eight claimers take each job once, with and without limits",
    arguments: [JobsPerOrigin.unlimited, .init(limit: 500)])
  func racingClaims(limits: JobsPerOrigin) async throws {
    let database = try FleetDatabase()
    let stores = try (0..<4).map { _ in try database.open() }
    _ = try await stores[0].add((0..<400).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil)
    let taken = try await withThrowingTaskGroup(of: [JobID].self) { group in
      for number in 0..<8 {
        group.addTask {
          let runner = UUID()
          var mine: [JobID] = []
          while true {
            let some = try await stores[number % 4].claim(
              runner: runner, limit: 7, scope: .all, jobsPerOrigin: limits, now: 2)
            if some.isEmpty { return mine }
            mine += some.map(\.id)
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(taken.count == 400 && Set(taken).count == 400)
  }

  @Test("the limit of an origin holds over the fleet, whoever claims at the same time")
  func racingLimits() async throws {
    let database = try FleetDatabase()
    let stores = try (0..<4).map { _ in try database.open() }
    _ = try await stores[0].add((0..<600).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for store in stores {
        group.addTask {
          try await store.claim(
            runner: UUID(), limit: 9, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 10), now: 2
          ).count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == 10)
  }

  @Test("counts agree with the jobs, however often they are folded")
  func tallies() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    let runner = UUID()
    let ids = try await store.add((0..<30).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil)
      .map(\.id)
    for round in 0..<5 {
      _ = try await store.claim(runner, limit: 3)
      _ = try await store.pause([ids[29 - round]])
      try await store.write(.lazy) { db in try PostgresStore.foldTallies(db) }
      _ = try await store.remove([ids[20 - round]])
    }
    let counts = try await store.counts(ids: nil)
    let real = try database.sql(
      "SELECT string_agg(state || count, ',') FROM (SELECT state, count(*) FROM hot GROUP BY 1 ORDER BY 1) AS all_states"
    )
    #expect(counts.map { "\($0.key.rawValue)\($0.value)" }.sorted().joined(separator: ",") == real)
    #expect(try await store.pending(scope: .all, runner: runner).queued == counts[.queued])
  }

  @Test("a long list is added once, whatever of it was there")
  func longLists() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    let all = try (0..<5000).map { try specification("http://h/\($0)") }
    let some = try await store.add(all[1000..<1500], marks: [], now: 1, seen: nil)
    let added = try await store.add(all + all[0..<100], marks: [], now: 1, seen: nil)
    #expect(added.count == 5100 && Set(added.map(\.id)).count == 5000)
    #expect(Array(added[1000..<1500].map(\.id)) == some.map(\.id))
    #expect(added.count { $0.existing } == 600)
    #expect(added[5000..<5100].map(\.id) == added[0..<100].map(\.id))
    #expect(try await store.counts(ids: nil) == [.queued: 5000])
    let jobs = try await store.jobs(ids: [added[4321].id])
    #expect(jobs.map(\.specification) == [all[4321]] && jobs.map(\.uuid) == [added[4321].uuid])
  }

  @Test("a due job before the last head is claimed once a search for due jobs has seen it")
  func dueBeforeTheHead() async throws {
    let store = try FleetDatabase().open()
    let ids = try await store.add("a")
    store.pace.withLock { pace in
      pace.record(
        from: nil, to: QueuePoint(priority: -1, place: 1, id: 1), claims: ClaimPace.few, seconds: 1000,
        ended: SteadyClock.now())
    }
    let runner = UUID()
    #expect(try await store.claim(runner, limit: 1).isEmpty)
    #expect(try await store.nextDue(scope: .all, now: 2) == 2)
    #expect(try await store.claim(runner, limit: 1).map(\.id) == ids)
  }

  @Test("jobs that are held for long count, get commands and name their runner, whatever was claimed since")
  func longHolds() async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    let (long, short) = (UUID(), UUID())
    let limit = JobsPerOrigin(limit: 2)
    func claim(_ store: PostgresStore, _ runner: UUID) async throws -> [JobID] {
      try await store.claim(runner: runner, limit: 9, scope: .all, jobsPerOrigin: limit, now: 2).map(\.id)
    }
    let ids = try await one.add(
      (0..<200).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil
    ).map(\.id)
    // A slow job takes one of two slots, so the quick jobs use the other.
    _ = try await other.pause(Array(ids[1...]))
    #expect(try await claim(one, long) == [ids[0]])
    _ = try await other.resume(Array(ids[1...]))
    for id in ids[1..<199] {
      #expect(try await claim(other, short) == [id])
      #expect(try await claim(other, UUID()) == [])
      _ = try await other.finish([.sample(id)], runner: short, now: 3)
    }
    #expect(try await other.activeRunners() == [long])
    #expect(try await other.pending(scope: .all, runner: short).activeElsewhere == 1)
    // This claim learns where the held jobs begin.
    #expect(try await claim(one, long) == [ids[199]])
    _ = try await other.pause([ids[0]])
    #expect(try await one.commands(runner: long).map(\.id) == [ids[0]])
  }
}
