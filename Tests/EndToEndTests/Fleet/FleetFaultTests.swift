// Machines and databases that fail while a fleet empties its queue: each file is there once in the end, and nothing else.

import FaultServer
import Foundation
import PostgresServer
import TestSupport
import Testing

@Suite("Fleet: faults", .needs(.postgres))
struct FleetFaultTests {
  @Test("runners are killed at random; others take their jobs")
  func kills() async throws {
    try await Fleet.use(lease: 8) { fleet in
      let files = FleetFile.mixed(Fleet.files)
      try await fleet.add(files)
      try await drain(fleet, files)
      try await fleet.expectDone(files, again: (Fleet.kills + 3) * 4)
    }
  }

  @Test("the same with a bucket")
  func killsWithBucket() async throws {
    try await Fleet.use(lease: 8) { fleet in
      let bucket = try fleet.sandbox.bucket()
      let files =
        FleetFile.mixed(Fleet.files) + [FleetFile("large", size: 20 << 20, script: [Answer { $0.rate = 4 << 20 }])]
      try await fleet.add(files, to: "s3://bucket/dir/", adding: bucket.place.variables)
      try await drain(fleet, files, adding: bucket.place.variables)
      try await fleet.expectDone(files, again: (Fleet.kills + 3) * 4, inDirectory: false)
      bucket.expectObjects(Dictionary(uniqueKeysWithValues: files.map { ("dir/\($0.name)", $0.final.content) }))
      fleet.sandbox.expectNoFiles()
    }
  }

  /// Empties the queue with three runners, of which one is killed and replaced each time that some more files are there.
  private func drain(_ fleet: Fleet, _ files: [FleetFile], adding more: [String: String] = [:]) async throws {
    var dice = Dice(seed: Fleet.seed)
    var runners = try (0..<3).map { try fleet.runner("r\($0)", ["--wait"], adding: more) }
    for kill in 1...Fleet.kills {
      let goal = files.count * kill / (Fleet.kills + 1)
      try await waitUntil("\(goal) files, seed \(Fleet.seed)", seconds: Fleet.patience, every: 0.05) {
        try fleet.complete >= goal
      }
      let victim = Int.random(in: runners.indices, using: &dice)
      try await runners[victim].kill9()
      runners[victim] = try fleet.runner("r\(2 + kill)", ["--wait"], adding: more)
    }
    try await waitUntil("all files, seed \(Fleet.seed)", seconds: Fleet.patience, every: 0.2) {
      try fleet.complete == files.count
    }
    for runner in runners { runner.send(SIGTERM) }
    for runner in runners { _ = try await runner.finish() }
  }

  @Test("PostgreSQL is stopped at once and started again, also on another port")
  func restarts() async throws {
    try await Fleet.use(ownServer: true, lease: 8) { fleet in
      let files = FleetFile.mixed(Fleet.files)
      try await fleet.add(files)
      let ports = [fleet.server.port, try PostgresServer.freePort()]
      let runners = try (0..<3).map { try fleet.runner("r\($0)", ports: ports) }
      for restart in 1...Fleet.restarts {
        let goal = files.count * restart / (Fleet.restarts + 1)
        try await waitUntil("\(goal) files", seconds: Fleet.patience, every: 0.05) { try fleet.complete >= goal }
        fleet.server.crash()
        // Every second outage is longer than a lease.
        try await Task.sleep(for: .seconds(restart % 2 == 0 ? Double(fleet.lease) + 2 : 0.5))
        try fleet.server.start(on: ports[restart % 2])
      }
      for runner in runners { expect(try await runner.finish(seconds: Fleet.patience), exits: 0) }
      // Bytes that a run could not record, because the database was away for longer than its lease, are fetched again:
      // five files a runner and outage.
      try await fleet.expectDone(files, again: Fleet.restarts * runners.count * 5)
    }
  }

  @Test("a runner that is cut off longer than its lease loses its jobs, writes nothing more, and comes back")
  func cutOff() async throws {
    try await Fleet.use(lease: 8) { fleet in
      let gate = Gate()
      let held = (0..<3).map {
        FleetFile("held\($0)", size: 400_000, script: [.held(by: gate, after: 200_000), .normal], requests: 2)
      }
      let others = (0..<10).map { FleetFile("f\($0)") }
      try await fleet.add(held)
      let link = try FaultServer.Link(to: fleet.server.port)
      defer { link.stop() }
      let lost = try fleet.runner("lost", ["--wait"], ports: [link.port])
      try await lost.wait(for: "its transfers", seconds: 60) { gate.arrivals >= 3 }
      // The other runners must know its part files.
      try await lost.wait(for: "checkpoints", seconds: 60, every: 0.1) {
        try fleet.count("received >= 200000", in: "checkpoints") == 3
      }
      link.cut()
      // Added only now, so that the lost runner cannot have fetched one of these files without recording it.
      try await fleet.add(others)
      let other = try fleet.runner("other", ["--wait"])
      try await other.wait(for: "all files", seconds: 180, every: 0.2) {
        try fleet.complete == held.count + others.count
      }
      // Only now do the lost runner's connections deliver the rest, if they still exist.
      gate.open()
      for file in held {
        let requests = fleet.sandbox.server.requests(file.path)
        #expect(
          requests.count >= 2 && requests.last?["Range"] != nil, "\(file.name) was not continued: \(requests.count)")
      }
      #expect(try !fleet.hasLease("lost") && lost.exit == nil, "\(lost.errors)")
      try await Task.sleep(for: .seconds(2))
      link.mend()
      // Once it is back, it takes new jobs.
      try await lost.wait(for: "its next lease", seconds: 60, every: 0.2) { try fleet.hasLease("lost") }
      other.send(SIGTERM)
      _ = try await other.finish()
      let last = [FleetFile("last")]
      try await fleet.add(last)
      try await lost.wait(for: "the last file", seconds: 60, every: 0.2) { try fleet.count("state <> 'complete'") == 0 }
      lost.send(SIGTERM)
      _ = try await lost.finish()
      try await fleet.expectDone(held + others + last, again: 4)
    }
  }

  @Test("a runner that is frozen longer than its lease changes nothing, whatever it had received before")
  func frozen() async throws {
    try await Fleet.use(lease: 8) { fleet in
      let gate = Gate()
      let later = Version.named("later", size: 500_000)
      let file = FleetFile("f", size: 400_000)
      fleet.sandbox.server[file.path] = Resource(
        file.final, script: [.held(by: gate, after: 200_000), .changed(to: later), .normal])
      try await fleet.dray(
        [
          "add", "-q", "-d", fleet.sandbox.downloads, "--retry-wait", "0.2",
          fleet.sandbox.server.url(file.path),
        ])
      let frozen = try fleet.runner("frozen")
      try await frozen.wait(for: "its transfer", seconds: 60) { gate.arrivals >= 1 }
      try await frozen.wait(for: "a checkpoint", seconds: 60, every: 0.1) {
        try fleet.count("received >= 200000", in: "checkpoints") == 1
      }
      frozen.send(SIGSTOP)
      // The rest of the old version waits in the stopped runner's socket.
      gate.open()
      let other = try fleet.runner("other", ["--wait"])
      try await other.wait(for: "the file", seconds: 180, every: 0.2) { try fleet.complete == 1 }
      let row = try fleet.sql(
        "SELECT * FROM hot, checkpoints, jobs WHERE hot.id = jobs.id AND hot.id = checkpoints.job")
      frozen.send(SIGCONT)
      let finished = try await frozen.finish(seconds: 120)
      #expect(finished.exit != .signal(SIGSEGV) && finished.exit != .signal(SIGTRAP), "\(finished)")
      #expect(
        try fleet.sql("SELECT * FROM hot, checkpoints, jobs WHERE hot.id = jobs.id AND hot.id = checkpoints.job") == row
      )
      fleet.sandbox.expectFiles(["f": later.content], finished)
      other.send(SIGTERM)
      _ = try await other.finish()
      #expect(try fleet.count("state = 'complete' AND runner IS NULL") == 1)
    }
  }

  @Test("a runner that is frozen between two tries of a PUT does not replace the next holder's object")
  func frozenBeforeRepeat() async throws {
    try await Fleet.use(lease: 8) { fleet in
      let bucket = try fleet.sandbox.bucket()
      let file = FleetFile("f", size: 400_000)
      let later = Version.named("later", size: 500_000)
      fleet.sandbox.server[file.path] = file.resource
      try await fleet.dray(
        [
          "add", "-q", "-d", "s3://bucket/", "--on-conflict", "overwrite", "--retry-wait", "0.2",
          fleet.sandbox.server.url(file.path),
        ], adding: bucket.place.variables)
      bucket.decide { $0.operation == .put ? .slowDown : nil }
      let frozen = try fleet.runner("frozen", adding: bucket.place.variables)
      try await frozen.wait(for: "its PUT", seconds: 60, every: 0.01) { !bucket.calls(.put).isEmpty }
      frozen.send(SIGSTOP)
      bucket.behave()
      fleet.sandbox.server[file.path] = Resource(later)
      let other = try fleet.runner("other", ["--wait"], adding: bucket.place.variables)
      try await other.wait(for: "the file", seconds: 180, every: 0.2) { try fleet.complete == 1 }
      let count = bucket.calls(.put).count
      frozen.send(SIGCONT)
      let finished = try await frozen.finish(seconds: 120)
      #expect(!finished.text.contains("f: complete"), "\(finished)")
      #expect(bucket.calls(.put).count == count, "\(finished)")
      bucket.expectObjects(["f": later.content], finished)
      other.send(SIGTERM)
      _ = try await other.finish()
      #expect(try fleet.count("state = 'complete' AND runner IS NULL") == 1)
    }
  }

  @Test(
    "a runner whose clock is wrong neither loses its jobs nor takes those of others",
    arguments: [86_400, -86_400] as [Int64])
  func wrongClock(_ ahead: Int64) async throws {
    try await Fleet.use(lease: 20) { fleet in
      // Longer than a lease.
      let files = (0..<60).map { FleetFile("f\($0)", script: [Answer { $0.latency = 2.5 }]) }
      try await fleet.add(files)
      let clock = try FakeClock(in: fleet.sandbox)
      try clock.set(ahead)
      let runners = [
        try fleet.runner("wrong", atOnce: 3, adding: try clock.environment), try fleet.runner("right", atOnce: 3),
      ]
      for runner in runners { expect(try await runner.finish(), exits: 0) }
      try await fleet.expectDone(files)
      #expect(try fleet.count("abs(finished_at - extract(epoch FROM now())) > 3600") == 0)
    }
  }

  @Test("a slow runner keeps its jobs as long as its lease is renewed")
  func slow() async throws {
    try await Fleet.use(lease: 15) { fleet in
      let gate = Gate()
      let slow = (0..<2).map { FleetFile("slow\($0)", size: 400_000, script: [.held(by: gate, after: 100_000)]) }
      try await fleet.add(slow)
      let first = try fleet.runner("slow")
      try await first.wait(for: "its transfers", seconds: 60) { gate.arrivals >= 2 }
      let files = (0..<20).map { FleetFile("f\($0)") }
      try await fleet.add(files)
      let second = try fleet.runner("fast", ["--wait"])
      try await second.wait(for: "the other files", seconds: 60, every: 0.2) { try fleet.complete == files.count }
      try await Task.sleep(for: .seconds(Double(fleet.lease) * 1.5))
      #expect(try fleet.held(by: "slow") == 2 && fleet.hasLease("slow"))
      gate.open()
      expect(try await first.finish(), exits: 0)
      second.send(SIGTERM)
      _ = try await second.finish()
      try await fleet.expectDone(slow + files)
    }
  }

  @Test("a full database refuses new jobs and keeps the old ones", .needs(.smallDisk))
  func full() async throws {
    try await Sandbox.use { sandbox in
      let server = try PostgresServer()
      defer { server.stop() }
      let disk = try SmallDisk(on: server, megabytes: 48)
      defer {
        server.crash()
        disk.remove()
      }
      let fleet = Fleet(sandbox: sandbox, server: server, database: disk.database, lease: 10)
      let files = FleetFile.mixed(60)
      try await fleet.add(files)
      disk.fill()
      let list = try sandbox.write(
        (0..<5000).map { "http://127.0.0.1:1/\($0)\n" }.joined(), to: "../streams/more")
      expect(
        try await fleet.dray(["add", "-q", "-d", sandbox.downloads, "-i", list]), exits: 10,
        saying: "full")
      #expect(try fleet.count("true") == files.count)
      expect(try await fleet.dray(["doctor"]), exits: 1, saying: "the disk of the database is full")
      // Whatever this run manages to do, it must not lose a job.
      let during = try fleet.runner("during")
      try await Task.sleep(for: .seconds(3))
      disk.empty()
      _ = try await during.finish(seconds: 180)
      try await finishRest(fleet)
      try await fleet.expectDone(files, again: files.count)
    }
  }

  @Test("a read-only database refuses new jobs and keeps the old ones")
  func readOnly() async throws {
    try await Fleet.use(ownServer: true, lease: 10) { fleet in
      let files = FleetFile.mixed(60)
      try await fleet.add(files)
      let during = try fleet.runner("during")
      try await during.wait(for: "some files", seconds: 60, every: 0.05) { try fleet.complete >= 5 }
      try fleet.server.setReadOnly(true)
      let added = try await fleet.dray(
        ["add", "-q", "-d", fleet.sandbox.downloads, fleet.sandbox.server.url("/more")], seconds: 300
      )
      expect(added, exits: 10, saying: "read-only")
      expect(try await fleet.dray(["doctor"]), exits: 1, saying: "read-only: runners wait")
      expect(try await fleet.dray(["list"]), exits: 0)
      try fleet.server.setReadOnly(false)
      _ = try await during.finish(seconds: 180)
      try await finishRest(fleet)
      try await fleet.expectDone(files, again: files.count)
    }
  }

  @Test("a run that starts while the database is away says so once, and waits for it")
  func startedWhileAway() async throws {
    try await Fleet.use(ownServer: true) { fleet in
      let files = FleetFile.mixed(3)
      try await fleet.add(files)
      fleet.server.crash()
      let runner = try fleet.runner("early")
      try await runner.wait(for: "its word") { runner.errors.contains("waiting for it") }
      try fleet.server.start()
      let finished = try await runner.finish()
      expect(finished, exits: 0)
      #expect(finished.errors.ranges(of: "waiting for it").count == 1)
      try await fleet.expectDone(files)
    }
  }

  /// Runs until no job is left, including jobs that an earlier run could not give back before it ended.
  private func finishRest(_ fleet: Fleet) async throws {
    let rest = try fleet.runner("rest", ["--wait"])
    try await rest.wait(for: "the rest", seconds: 180, every: 0.2) { try fleet.count("state <> 'complete'") == 0 }
    rest.send(SIGTERM)
    _ = try await rest.finish()
  }
}
