// Adding: durable in one transaction, nothing twice, no two jobs with one target.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct AddTests {
  @Test func everythingThatWasAskedForComesBack() async throws {
    let state = TemporaryState()
    var wanted = try specification(
      "https://h:8443/a?token=1", output: "o.bin", priority: 7, policy: .overwrite)
    wanted.request.method = "POST"
    wanted.request.headers = [HeaderField("X-A", "1"), HeaderField("X-A", "2")]
    wanted.request.credentials = Credentials(user: "u", password: "ü/\"'")
    wanted.request.stallTimeout = 1.5
    wanted.options.rateLimit = 12
    wanted.foreignDepth = 1
    wanted.options.digest = try DigestValue.parse("md5=00112233445566778899aabbccddeeff")
    let other = try specification("http://h/b")
    let added = try await state.open().add([wanted, other], now: 12.5)
    let store = try state.open()
    let jobs = try await store.jobs(ids: [added[1].id, 99, added[0].id])
    #expect(jobs.map(\.specification) == [other, wanted])
    #expect(jobs[1] == Job(id: added[0].id, uuid: added[0].uuid, specification: wanted, addedAt: 12.5))
    #expect(try await store.job(uuid: added[1].uuid) == jobs[0])
  }

  @Test("a job that completes during the lookup is not added a second time")
  func completeMeanwhile() async throws {
    let store = try TemporaryState().open()
    let id = try await store.makeJob("f", in: .complete)
    let again = try specification("http://h/f")
    let uuid = try #require(try await store.job(id)).uuid
    #expect(try await store.add([again], now: 4, seen: []) == [AddedJob(id: id, uuid: uuid, existing: true)])
    // The user wants it again, whether or not the record was seen.
    let new = try await store.add([again], now: 4, seen: [id])[0]
    #expect(!new.existing)
    #expect(try await store.add([again], now: 4, seen: [])[0] == AddedJob(id: new.id, uuid: new.uuid, existing: true))
    let other = try await store.makeJob("g", in: .complete)
    #expect(try await store.add([try specification("http://h/g")], now: 4)[0].id != other)
    // A complete job that follows a failed one is history.
    _ = try await store.makeJob("h", in: .complete)
    _ = try await store.makeJob("h", in: .failed)
    #expect(try await store.add([try specification("http://h/h")], now: 4, seen: [])[0].existing == false)
  }

  @Test func namesOfFilesAreRandomUUIDs() {
    let all = (0..<1000).map { _ in UUID.random() }
    #expect(Set(all).count == all.count)
    // RFC 9562 §5.4: the version is 4, and the variant's two bits are 10.
    #expect(all.allSatisfy { $0.uuid.6 >> 4 == 4 && $0.uuid.8 >> 6 == 0b10 })
    // Every other bit is 0 in some and 1 in others.
    let bits = all.map { withUnsafeBytes(of: $0.uuid) { Array($0) } }
    let (ones, zeros) = (0..<16).reduce(into: ([UInt8](), [UInt8]())) { sums, index in
      sums.0.append(bits.reduce(0) { $0 | $1[index] })
      sums.1.append(bits.reduce(0xFF) { $0 & $1[index] })
    }
    #expect(ones == [255, 255, 255, 255, 255, 255, 0x4F, 255, 0xBF, 255, 255, 255, 255, 255, 255, 255])
    #expect(zeros == [0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("jobs that one statement adds have their own numbers, also between jobs that are looked up")
  func manyRows() async throws {
    let store = try TemporaryState().open()
    var wanted = try (0..<300).map { try specification("http://h/f\($0)") }
    wanted[70] = wanted[10]
    wanted[100] = try specification("http://h/named", output: "o")
    let added = try await store.add(wanted, now: 4)
    #expect(added.count == wanted.count)
    #expect(added[70] == AddedJob(id: added[10].id, uuid: added[10].uuid, existing: true))
    let jobs = try await store.jobs(ids: added.map(\.id))
    #expect(jobs.map(\.specification) == wanted)
    #expect(jobs.map(\.uuid) == added.map(\.uuid))
    #expect(added.filter { !$0.existing }.map(\.id) == Array(1...299))
  }

  @Test("the UUIDs of a long list follow each other, and no two have the same first half")
  func consecutiveUUIDs() {
    var (first, second) = (JobUUIDs(), JobUUIDs())
    let random = (0..<JobUUIDs.scattered).map { _ in first.next() }
    #expect(random.allSatisfy { $0.uuid.6 >> 4 == 4 && $0.uuid.8 >> 6 == 0b10 })
    let list = (0..<10_000).map { _ in first.next() }
    #expect(list.allSatisfy { $0.uuid.6 >> 4 == 8 && $0.uuid.8 >> 6 == 0b10 })
    // Only at the end of the numbers does the order begin again.
    let falls = zip(list, list.dropFirst()).filter { $0.text >= $1.text }
    #expect(falls.count <= 1)
    let other = (0..<10_000).map { _ in second.next() }
    let halves = (random + list + other).map { $0.text.prefix(18) }
    #expect(Set(halves).count == halves.count)
  }

  @Test func oneHundredThousand() async throws {
    let store = try TemporaryState().open()
    let count = 100_000
    let template = try specification("http://h/")
    let added = try await store.add(
      (0..<count).lazy.compactMap { number in
        guard let url = try? url("http://h\(number % 10)/\(number)") else { return nil }
        var one = template
        one.request.url = url
        return one
      }, now: 1)
    #expect(added.count == count)
    #expect(Set(added.map(\.uuid)).count == count)
    #expect(!added.contains { $0.existing })
    #expect(try await store.counts() == [.queued: count])
    var seen: JobID = 0
    try await store.forEachSummary { summary in
      #expect(summary.id == seen + 1)
      seen = summary.id
    }
    #expect(seen == JobID(count))
    #expect(try await store.pending(scope: .all, runner: UUID()).queued == count)
  }

  @Test func theSameIsNotAddedTwice() async throws {
    let store = try TemporaryState().open()
    let first = try await store.add(
      [
        try specification("http://h/a"), try specification("http://h/a"),
        try specification("http://h/a", output: "x"),
      ],
      now: 1)
    #expect(first.map(\.id) == [1, 1, 2])
    #expect(first.map(\.existing) == [false, true, false])
    #expect(first[0].uuid == first[1].uuid)
    let again = try await store.add(
      [try specification("http://h/a", directory: "/e"), try specification("http://h/a", output: "x")], now: 2
    )
    #expect(again.map(\.id) == [3, 2])
    #expect(try await store.find(DownloadKey(url: "http://h/a", directory: "/d", output: "x"))?.id == 2)
    #expect(try await store.find(DownloadKey(url: "http://h/a", directory: "/d", output: "y")) == nil)
  }

  @Test func aFinishedOneIsAddedAgain() async throws {
    let store = try TemporaryState().open()
    let old = try await store.makeJob("a", in: .complete)
    let new = try await store.add(paths: "a")
    #expect(new != [old])
    #expect(try await store.find(DownloadKey(url: "http://h/a", directory: "/d", output: nil))?.id == new[0])
  }

  @Test(arguments: ConflictPolicy.allCases)
  func targetOfAnotherJob(policy: ConflictPolicy) async throws {
    let store = try TemporaryState().open()
    _ = try await store.add([try specification("http://h/a", output: "x")], now: 1)
    let batch = [
      try specification("http://h/b"), try specification("http://h/c", output: "x", policy: policy),
    ]
    if policy == .rename {
      let added = try await store.add(batch, now: 2)
      #expect(try await store.job(added[1].id)?.fileName == FileName.numbered("x", 1))
      #expect(try await store.add(batch, now: 3).map(\.existing) == [true, true])
    } else {
      let failure = await thrown { _ = try await store.add(batch, now: 2) }
      #expect(failure?.kind == .file)
      #expect(failure?.subject == "/d/x")
      #expect(failure?.reason == "it is the target of job 1, which is queued")
      #expect(try await store.counts() == [.queued: 1])
    }
  }

  @Test func targetOfAFinishedJobIsFree() async throws {
    let store = try TemporaryState().open()
    _ = try await store.makeJob("a", in: .failed, output: "x")
    #expect(try await store.add([try specification("http://h/b", output: "x")], now: 2).map(\.existing) == [false])
  }
}
