// Several machines, one queue in PostgreSQL, without faults: each job once, jobs handed over, two fleets side by side.

import FaultServer
import Foundation
import PostgresServer
import TestSupport
import Testing

@Suite("Fleet", .needs(.postgres))
struct FleetTests {
  @Test("three runners empty one queue: each file is fetched once")
  func each() async throws {
    try await Fleet.use { fleet in
      let files = FleetFile.mixed(Fleet.files)
      try await fleet.add(files)
      let runners = try (0..<3).map { try fleet.runner("r\($0)") }
      for runner in runners { expect(try await runner.finish(seconds: Fleet.patience), exits: 0) }
      try await fleet.expectDone(files)
      let listed = try await fleet.dray(["list", "--json", "--state", "complete"])
      #expect(listed.output.components(separatedBy: "\"uuid\"").count == files.count + 1)
    }
  }

  @Test("SIGTERM hands jobs back within the grace, and another runner continues them at once")
  func handBack() async throws {
    // A lease that would end after the test.
    try await Fleet.use(lease: 120) { fleet in
      let gate = Gate()
      let files = (0..<3).map {
        FleetFile("f\($0)", size: 400_000, script: [.held(by: gate, after: 200_000), .normal], requests: 2)
      }
      try await fleet.add(files)
      let first = try fleet.runner("first", ["--grace", "1"])
      try await first.wait(for: "its transfers", seconds: 60) { gate.arrivals >= 3 }
      try await first.wait(for: "checkpoints", seconds: 60, every: 0.1) {
        try fleet.count("received >= 200000", in: "checkpoints") == 3
      }
      first.send(SIGTERM)
      expect(try await first.finish(seconds: 30), exits: 143)
      #expect(try fleet.count("runner IS NOT NULL") == 0 && !fleet.hasLease("first"))
      expect(try await fleet.runner("second").finish(seconds: 60), exits: 0)
      gate.open()
      for file in files {
        #expect(fleet.sandbox.server.requests(file.path).last?["Range"]?.hasPrefix("bytes=") == true, "\(file.name)")
      }
      try await fleet.expectDone(files)
    }
  }

  @Test("a run that has nothing left to do waits for the end of a killed runner's lease, and continues its jobs")
  func takeOver() async throws {
    try await Fleet.use(lease: 12) { fleet in
      let (gate, own) = (Gate(), Gate())
      let files = (0..<3).map {
        FleetFile("f\($0)", size: 400_000, script: [.held(by: gate, after: 200_000), .normal], requests: 2)
      }
      try await fleet.add(files, ["--label", "side=a"])
      let first = try fleet.runner("first", ["--only", "side=a"])
      try await first.wait(for: "checkpoints", seconds: 60, every: 0.1) {
        try fleet.count("received >= 200000", in: "checkpoints") == 3
      }
      let last = FleetFile("last", size: 400_000, script: [.held(by: own, after: 200_000)])
      try await fleet.add([last])
      let second = try fleet.runner("second")
      try await second.wait(for: "its transfer", seconds: 60) { own.arrivals >= 1 }
      try await first.kill9()
      #expect(try fleet.hasLease("first") && fleet.held(by: "first") == 3)
      gate.open()
      own.open()
      let finished = try await second.finish(seconds: 120)
      expect(finished, exits: 0)
      #expect(finished.errors.contains("s for 3 jobs of runner first, which does not answer"), "\(finished)")
      #expect(try await fleet.dray(["runners"]).output.contains("dead"))
      for file in files {
        let range = fleet.sandbox.server.requests(file.path).last?["Range"]
        #expect(range == "bytes=\(200_000 - Joint.overlap)-", "\(file.name)")
      }
      try await fleet.expectDone(files + [last])
    }
  }

  @Test("the runner whose attempts fail is named by runners, list, show and JSON, also once it has ended")
  func whichMachine() async throws {
    try await Fleet.use { fleet in
      let files = [FleetFile("good", size: 1000), FleetFile("bad", script: [.status(404)])]
      for (file, label) in zip(files, ["side=a", "side=b"]) { try await fleet.add([file], ["--label", label]) }
      expect(try await fleet.runner("node17", ["--only", "side=a"]).finish(), exits: 0)
      expect(try await fleet.runner("node19", ["--only", "side=b"]).finish(), exits: 8)
      let runners = try await fleet.dray(["runners"]).output.split(separator: "\n").map { $0.split(separator: " ") }
      #expect(runners.map(\.first) == ["NAME", "node19"] && runners.last == ["node19", "ended", "1"], "\(runners)")
      #expect(try await fleet.dray(["list", "--state", "failed"]).output.contains("node19"))
      #expect(try await fleet.dray(["list", "--json"]).output.contains(#""runner":"node19""#))
      for (job, name) in [("1", "node17"), ("2", "node19")] {
        let shown = try await fleet.dray(["show", job])
        #expect(shown.output.contains("by \(name)"), "\(shown)")
      }
    }
  }

  @Test("a run on a database without a store says so, and `add` makes one")
  func noStore() async throws {
    try await Fleet.use { fleet in
      let finished = try await fleet.runner("first").finish()
      expect(finished, exits: 10)
      #expect(finished.errors.contains("this database has no job store; `dray add` makes one"), "\(finished)")
      let file = FleetFile("f", size: 1000)
      try await fleet.add([file])
      expect(try await fleet.runner("first").finish(), exits: 0)
      try await fleet.expectDone([file])
    }
  }

  @Test("a command reaches the job of another machine's runner")
  func commands() async throws {
    try await Fleet.use { fleet in
      let gate = Gate()
      let files = [FleetFile("f", size: 400_000, script: [.held(by: gate, after: 200_000), .normal], requests: 2)]
      try await fleet.add(files)
      let runner = try fleet.runner("far", ["--wait"])
      try await runner.wait(for: "its transfer", seconds: 60) { gate.arrivals >= 1 }
      expect(try await fleet.dray(["pause", "1"]), exits: 0)
      try await runner.wait(for: "the pause", seconds: 60, every: 0.1) { try fleet.count("state = 'paused'") == 1 }
      gate.open()
      expect(try await fleet.dray(["resume", "1"]), exits: 0)
      try await runner.wait(for: "the file", seconds: 60, every: 0.1) { try fleet.complete == 1 }
      runner.send(SIGTERM)
      _ = try await runner.finish()
      try await fleet.expectDone(files)
    }
  }

  @Test("two fleets share a directory; neither cleans up what is the other's")
  func sharedDirectory() async throws {
    try await Fleet.use { one in
      let other = Fleet(sandbox: one.sandbox, server: one.server, database: try one.server.newDatabase())
      let gate = Gate()
      let files = FleetFile.mixed(40, prefix: "a")
      let held = FleetFile("held", size: 400_000, script: [.held(by: gate, after: 200_000)])
      let others = FleetFile.mixed(40, prefix: "b") + [held]
      try await one.add(files)
      try await other.add(others)
      let runners = [
        try one.runner("one"), try other.runner("other-1"), try other.runner("other-2"), try one.runner("two"),
      ]
      for runner in [runners[0], runners[3]] { expect(try await runner.finish(), exits: 0) }
      try await runners[1].wait(for: "the transfer", seconds: 60) { gate.arrivals >= 1 }
      #expect(try one.complete == 40)
      // This also forgets the complete jobs of the first fleet.
      let cleaned = try await one.dray(["clean", one.sandbox.downloads])
      #expect(cleaned.status == 0, "\(cleaned)")
      #expect(one.sandbox.names().contains(where: one.sandbox.isPartFile), "the other's part file is gone: \(cleaned)")
      gate.open()
      for runner in runners[1...2] { expect(try await runner.finish(), exits: 0) }
      // Both fleets' files are in the directory.
      one.sandbox.expectFiles(
        Dictionary(uniqueKeysWithValues: (files + others).map { ($0.name, $0.final.content) }))
      #expect(try other.complete == 41)
    }
  }

  @Test("two fleets share a bucket")
  func sharedBucket() async throws {
    try await Fleet.use { one in
      let other = Fleet(sandbox: one.sandbox, server: one.server, database: try one.server.newDatabase())
      let bucket = try one.sandbox.bucket()
      let keys = bucket.place.variables
      let (files, others) = (FleetFile.mixed(40, prefix: "a"), FleetFile.mixed(40, prefix: "b"))
      try await one.add(files, to: "s3://bucket/dir/", adding: keys)
      try await other.add(others, to: "s3://bucket/dir/", adding: keys)
      let runners = [
        try one.runner("one", adding: keys), try other.runner("other-1", adding: keys),
        try other.runner("other-2", adding: keys),
      ]
      for runner in runners { expect(try await runner.finish(seconds: Fleet.patience), exits: 0) }
      bucket.expectObjects(
        Dictionary(uniqueKeysWithValues: (files + others).map { ("dir/\($0.name)", $0.final.content) }))
      try await one.expectDone(files, inDirectory: false)
      try await other.expectDone(others, inDirectory: false)
    }
  }

  @Test("a directory of this machine is refused, unless all machines share it, or each keeps its own files")
  func localTargets() async throws {
    try await Fleet.use { fleet in
      let own = fleet.sandbox.root + "/own"
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      let add = ["add", "-d", own, fleet.sandbox.server.url("/f")]
      let refused = try await fleet.dray(add)
      #expect(refused.status == 3 && refused.text.contains("--local-targets"), "\(refused)")
      // The schema may not exist yet.
      #expect((try? fleet.count("true")) ?? 0 == 0)
      expect(try await fleet.dray(["--local-targets"] + add), exits: 0)
      expect(
        try await fleet.dray(["--shared-dir", own, "add", "-d", own, fleet.sandbox.server.url("/g")]), exits: 0)
    }
  }

  @Test("a database that is not there, a wrong password: the reason is said, the password is not")
  func unreachable() async throws {
    try await Fleet.use { fleet in
      let away = try PostgresServer.freePort()
      let lost = try await fleet.dray(
        ["list"], adding: ["DRAY_STORE": "postgresql://ann:s3cret@127.0.0.1:\(away)/db"], seconds: 120)
      #expect(lost.status == 10 && !lost.text.contains("s3cret") && lost.text.contains("127.0.0.1"), "\(lost)")
      try fleet.server.psql("DROP ROLE IF EXISTS secured")
      try fleet.server.psql("CREATE ROLE secured LOGIN PASSWORD 'right'")
      let store = "postgresql://secured:s3cret@127.0.0.1:\(fleet.server.port)/\(fleet.database)"
      let wrong = try await fleet.dray(["list"], adding: ["DRAY_STORE": store], seconds: 60)
      #expect(wrong.status == 10 && !wrong.text.contains("s3cret"), "\(wrong)")
    }
  }
}
