// A file of 1 TB on a virtually large disk: an image with holes, mounted through a loop device.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Largest file", .needs(.loopDevices))
struct LargestFileTests {
  private static let size: Int64 = 1 << 40

  @Test("1 TB: bytes reach its far parts, memory stays small, and kept bytes are not requested again")
  func terabyte() async throws {
    try await Sandbox.use { sandbox in
      let disk = PowerDisk(place: sandbox.downloads, image: sandbox.root + "/streams/disk", sandbox: sandbox)
      try Data().write(to: URL(fileURLWithPath: disk.image))
      guard truncate(disk.image, off_t(Self.size) * 5 / 4) == 0 else { throw HarnessError("no file of 1.2 TB") }
      let options = ["-q", "-F", "-m", "0", "-T", "largefile4", "-E", "nodiscard,lazy_itable_init=1", "-J", "size=8"]
      expect(try await sandbox.tool("mkfs.ext4", options + ["-O", "^resize_inode", disk.image]), exits: 0)
      try await disk.mount(isHarsh: false)
      do {
        try FileManager.default.removeItem(atPath: sandbox.path("lost+found"))
        try await fetch(sandbox)
      } catch {
        try? await disk.unmount()
        throw error
      }
      try await disk.unmount()
    }
  }

  private func fetch(_ sandbox: Sandbox) async throws {
    let version = Version.named("v1", size: Self.size)
    sandbox.server["/f"] = Resource(version, script: [Answer { $0.rate = 4 << 20 }])
    var kept: [Range<Int64>] = []
    for round in 1...2 {
      let before = sandbox.server.requests.count
      let program = try sandbox.start(["get", "-x", "4", "-o", "f", sandbox.server.url("/f")])
      let bytes = kept.reduce(0) { $0 + Int64($1.count) } + 8 << 20
      try await program.wait(for: "\(bytes) bytes by several connections", every: 0.1) {
        let received = try await sandbox.jobs().first?.received ?? 0
        return received >= bytes && (round == 2 || sandbox.server.requests.count > 2)
      }
      let look = try #require(Footprint(of: program.pid))
      #expect(look.memory < 200 << 20, "\(look)")
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      for request in sandbox.server.requests.dropFirst(before) where round == 2 {
        let start = request["Range"].flatMap { Int64($0.dropFirst(6).prefix { $0.isNumber }) }
        #expect(start.map { Joint.isAtGap($0, of: kept) } == true, "\(request["Range"] ?? "all")")
      }
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted" && job.size == Self.size)
      kept = try await self.kept(job, version, sandbox)
      #expect(kept.contains { $0.lowerBound >= Self.size / 4 }, "\(kept)")
    }
    expect(try await sandbox.dray("remove", "--all"), exits: 0)
    #expect(sandbox.names().isEmpty)
  }

  /// Returns the recorded ranges of the job, after checking that each recorded byte is correct.
  private func kept(_ job: ListedJob, _ version: Version, _ sandbox: Sandbox) async throws -> [Range<Int64>] {
    let ranges = try #require(try await sandbox.shown(job.id)).segments
    let file = try #require(FileHandle(forReadingAtPath: sandbox.path(".\(job.uuid).part")))
    defer { try? file.close() }
    for range in ranges {
      try file.seek(toOffset: UInt64(range.lowerBound))
      #expect(try file.read(upToCount: range.count) == Data(version.content.bytes(in: range)), "\(range)")
    }
    return ranges
  }
}
