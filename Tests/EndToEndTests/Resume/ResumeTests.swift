// Drives the program through the Resume table: half a transfer, a stop, a second run.

import FaultServer
import Foundation
import Testing

@Suite("Resume")
struct ResumeTests {
  @Test("a transfer stopped half-way and run again", arguments: ResumeCase.table)
  func resume(_ row: ResumeCase) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let server = sandbox.server
      let gate = Gate()
      server["/file.bin"] = .init(row.first, script: [.held(by: gate, after: ResumeCase.half)])
      server.update("/file.bin") { $0.date = row.date }
      let get = ["get", server.url("/file.bin"), "--retry-wait", "0.05"] + row.options

      let job = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: row.stop)
      #expect(job.state == "interrupted")
      #expect(job.received > 0 && job.received <= ResumeCase.half)
      sandbox.expectOnlyPartFile()

      server.update("/file.bin") { resource in
        resource.version = row.second ?? row.first
        resource.script = row.script
      }
      let second = try await sandbox.dray(get)
      expect(second, exits: row.status, saying: row.says)

      let requests = Array(server.requests("/file.bin").dropFirst())
      let asks = requests.map(ResumeCase.Ask.init)
      #expect(Array(asks.prefix(row.asks.count)) == row.asks, "\(second)")
      #expect(asks.count <= row.atMost ?? row.asks.count, "\(asks) \(second)")
      if row.onlyMissing {
        let sent = requests.filter { $0.status == 206 }.reduce(0) { $0 + $1.bodySent }
        #expect(sent == ResumeCase.size - job.received, "\(second)")
      }
      try await check(row.result, in: sandbox, second)
    }
  }

  private func check(_ result: ResumeCase.Result, in sandbox: Sandbox, _ finished: Finished) async throws {
    switch result {
    case .version(let version):
      sandbox.expectFiles(["file.bin": version.content], finished)
      #expect(try await sandbox.onlyJob().state == "complete", "\(finished)")
    case .kept:
      sandbox.expectOnlyPartFile(finished)
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted" && job.received > 0, "\(finished)")
    case .nothing:
      sandbox.expectNoFiles(finished)
      #expect(try await sandbox.onlyJob().state == "failed", "\(finished)")
    }
  }

  @Test("R1 the range starts where the recorded bytes end, and every request says identity")
  func rangeStartsAtWhatIsRecorded() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", sandbox.server.url("/f")]
      let job = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      #expect(job.received == ResumeCase.half)
      expect(try await sandbox.dray(get), exits: 0)
      let requests = sandbox.server.requests("/f")
      #expect(requests.last?["Range"] == "bytes=\(job.received)-")
      #expect(requests.allSatisfy { $0["Accept-Encoding"] == "identity" })
    }
  }

  @Test("R14 416 that names just the bytes on disk: it was complete")
  func everythingWasThere() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      // Chunked and held before the last chunk: all bytes are there, and nobody knows that they are all.
      let held = Answer {
        $0.framing = .chunked(.init())
        $0.holds = [.gate(gate, after: ResumeCase.size)]
      }
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [held, .normal])
      let get = ["get", sandbox.server.url("/f")]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.size, stop: .interrupt)
      let second = try await sandbox.dray(get)
      expect(second, exits: 0)
      sandbox.expectFiles(["f": ResumeCase.v1.content], second)
      let requests = sandbox.server.requests("/f")
      #expect(requests.map(\.status) == [200, 416], "\(second)")
    }
  }

  @Test("R17 --resume always asks again for an overlap of 64 KiB")
  func overlapIsAskedFor() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let version = ResumeCase.v(ResumeCase.v1, etag: nil)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", sandbox.server.url("/f"), "--resume", "always"]
      let job = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      expect(try await sandbox.dray(get), exits: 0)
      #expect(sandbox.server.requests("/f").last?["Range"] == "bytes=\(job.received - 65_536)-")
      sandbox.expectFiles(["f": version.content])
    }
  }

  enum Digest: Sendable, CaseIterable {
    case agrees, isOfTheNewVersion, isOfAnother
  }

  @Test("R17 a known digest allows a resume without validators, and decides", arguments: Digest.allCases)
  func digestAllowsResume(_ digest: Digest) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let first = ResumeCase.v(ResumeCase.v1, etag: nil)
      let second = digest == .agrees ? first : ResumeCase.v(ResumeCase.v2, etag: nil)
      let wanted = digest == .isOfAnother ? Content.generated(seed: 99, size: 10) : second.content
      sandbox.server["/f"] = .init(first, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let sum = try await sandbox.sha256(wanted)
      let get = ["get", sandbox.server.url("/f"), "--checksum", "sha-256=\(sum)"]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      sandbox.server.update("/f") { $0.version = second }
      let finished = try await sandbox.dray(get)
      let asks = sandbox.server.requests("/f").dropFirst().map(ResumeCase.Ask.init)
      #expect(asks.first == .range(ifRange: nil), "\(finished)")
      switch digest {
      case .agrees:
        expect(finished, exits: 0)
        #expect(asks.count == 1)
        sandbox.expectFiles(["f": second.content], finished)
      case .isOfTheNewVersion:
        expect(finished, exits: 0)
        #expect(asks.count == 2 && asks.last == .whole, "\(finished)")
        sandbox.expectFiles(["f": second.content], finished)
      case .isOfAnother:
        expect(finished, exits: 9)
        #expect(asks.count == 2 && asks.last == .whole, "\(finished)")
        sandbox.expectNoFiles(finished)
        #expect(try await sandbox.onlyJob().state == "failed")
      }
    }
  }
}
