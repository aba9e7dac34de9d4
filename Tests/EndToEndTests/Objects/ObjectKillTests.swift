// Killed at random, again and again, while a large file goes into a bucket and the source changes its version: the object
// is one version byte for byte, little is fetched again, and no upload is left. `make s3-test` kills 100 times on every
// server; the gate a few times.
//
// DRAY_S3_KILLS=NUMBER and DRAY_S3_SIZE=MIB change the numbers, DRAY_S3_SEED=NUMBER repeats the draws.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Objects, killed at random")
struct ObjectKillTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let kills = environment["DRAY_S3_KILLS"].flatMap { Int($0) } ?? 5
  private static let size = (environment["DRAY_S3_SIZE"].flatMap { Int64($0) } ?? 64) << 20
  private static let seed = TestSeed.value("DRAY_S3_SEED")
  private static let connections: Int64 = 2
  /// One part for each connection. If the bucket is slower than the source, a kill loses these parts.
  private static let memory = connections * ObjectCase.part
  /// The longest run before a kill.
  private static let longest = 20.0

  @Test("SeaweedFS", .needs(.server(.seaweedfs)))
  func seaweedfs() async throws { try await kill(.seaweedfs) }

  @Test("MiniStack", .needs(.server(.ministack)))
  func ministack() async throws { try await kill(.ministack) }

  @Test("moto", .needs(.server(.moto)))
  func moto() async throws { try await kill(.moto) }

  @Test("Swift with s3api", .needs(.server(.swift)))
  func swift() async throws { try await kill(.swift) }

  /// Fetches file after file until the program was killed as often as wanted.
  private func kill(_ kind: ObjectServerKind) async throws {
    try await Sandbox.use { sandbox in
      let begin = ContinuousClock.now
      let server = try await ObjectServer(kind, in: sandbox)
      var dice = Dice(seed: Self.seed)
      var (kills, files) = (0, 0)
      while kills < Self.kills {
        files += 1
        kills += try await file(files, sandbox, server, upTo: Self.kills - kills, &dice)
      }
      #expect(try await server.uploads() == [], "\(kind): seed \(Self.seed)")
      sandbox.expectNoFiles()
      let seconds = (ContinuousClock.now - begin).components.seconds
      print(
        "objects killed: \(kind): \(kills) kills, \(files) files of \(Self.size >> 20) MiB, seed \(Self.seed), \(seconds) s"
      )
    }
  }

  /// Fetches one file with at most `limit` kills, and returns their number.
  private func file(
    _ number: Int, _ sandbox: Sandbox, _ server: ObjectServer, upTo limit: Int, _ dice: inout Dice
  ) async throws -> Int {
    let versions = (0..<3).map { Version.named("file \(number) version \($0)", size: Self.size + Int64($0) * 1001) }
    let (path, key) = ("/f\(number)", "dir/f\(number)")
    // Slow enough that a kill finds it at work, fast enough that parts come to their end.
    let slow = Answer { $0.rate = 24 << 20 }
    sandbox.server[path] = .init(versions[0], script: [slow])
    let get = [
      "get", "-x", "\(Self.connections)", "--upload-memory", "\(Self.memory)", "--retry-wait", "0.1", "-o",
      "s3://bucket/\(key)", sandbox.server.url(path),
    ]
    // The kills in which the source gets its next version.
    var changes = [Int64.random(in: 0..<4, using: &dice), Int64.random(in: 4..<9, using: &dice)]
    var (kills, current, sinceChange) = (0, 0, 0)
    // The attempts since the change that ended without a kill, because a bucket under load did not answer in time.
    var retries: [Substring] = []
    var sent = [Int64](repeating: 0, count: versions.count)
    // The bytes sent since the change that no program has read.
    var unread: Int64 = 0
    while true {
      let (before, requests) = (sandbox.server.bytesSent(path), sandbox.server.requests(path).count)
      let isLast = kills == limit
      if isLast { sandbox.server.update(path) { $0.script = [] } }
      let program = try sandbox.start(get, in: server.place)
      let stop = before + Int64.random(in: 0..<(Self.connections * 3 * ObjectCase.part), using: &dice)
      let isChanging = !isLast && changes.first == Int64(kills)
      let change = before + (stop - before) / 2
      var isChanged = false
      let start = ContinuousClock.now
      try await waitUntil("a kill or the end, seed \(Self.seed)", seconds: isLast ? 600 : 120) {
        let now = sandbox.server.bytesSent(path)
        if isChanging, !isChanged, now >= change {
          isChanged = true
          sandbox.server.update(path) { $0.version = versions[current + 1] }
        }
        let isOver = !isLast && (now >= stop || (ContinuousClock.now - start) / .seconds(1) > Self.longest)
        return program.exit != nil || isOver
      }
      program.send(SIGSTOP)
      try await waitUntil("the program stands still") { program.isStopped || program.exit != nil }
      // If a connection was closed because its range was split, its bytes after the split do not count. If it is still
      // open, they are among the unread bytes.
      sent[current] += sandbox.server.requests(path).dropFirst(requests).reduce(0) {
        $0 + ($1.isBeingSent && program.exit == nil ? $1.bodySent : $1.bodyKept)
      }
      let waiting = try SocketBuffers.unread(from: sandbox.server.port)
      if isChanging {
        changes.removeFirst()
        if !isChanged { sandbox.server.update(path) { $0.version = versions[current + 1] } }
        current += 1
        (sinceChange, unread, retries) = (0, 0, [])
      } else {
        retries += program.errors.split(separator: "\n").filter { $0.contains("retrying in") }
      }
      if program.exit != nil {
        let finished = try await program.finish()
        expect(finished, exits: 0)
        break
      }
      unread += waiting
      try await program.kill9()
      kills += 1
      sinceChange += 1
    }
    try await check(server, key, versions, number)
    // The number of bytes fetched of the last version is limited: its length and, for each kill, the parts that may
    // wait in memory for a slow bucket, and the bytes that the system had received but the program had not read. A
    // failed attempt loses as much as a kill.
    let again = sent[current] - versions[current].content.size
    let most = Int64(sinceChange + 1 + retries.count) * Self.memory + unread
    #expect(
      again <= most,
      """
      \(server.kind): \(again) bytes fetched again after \(sinceChange) kills, \(unread) unread, seed \(Self.seed), \
      retries: \(retries.joined(separator: "; "))
      """)
    try await server.delete(key)
    return kills
  }

  private func check(_ server: ObjectServer, _ key: String, _ versions: [Version], _ number: Int) async throws {
    var differences: [String] = []
    for version in versions {
      guard let difference = try await server.difference(key, version.content) else { return }
      differences.append(difference)
    }
    Issue.record("\(server.kind): file \(number) is no version: \(differences), seed \(Self.seed)")
  }
}
