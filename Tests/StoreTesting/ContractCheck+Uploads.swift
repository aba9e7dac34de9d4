// Promises of any job store about uploads to object stores.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  private static func mark(_ id: String, part: String, at time: Double = 1, key: String = "p/f") -> UploadMark {
    UploadMark(
      place: "s3://bucket/p", signature: AWSSignature(region: "eu-central-1"), key: key, id: id, part: part,
      startedAt: time)
  }

  static let uploads = [
    ContractCheck("P5 uploads are known until they have ended, whatever becomes of their jobs") { stores in
      let marks = [mark("a", part: "one", at: 2), mark("b", part: "one", at: 1), mark("b", part: "two", key: "p/g")]
      for mark in marks { try await stores.one.beginUpload(mark) }
      try await stores.one.beginUpload(marks[0])
      let all = try await stores.other.uploads(ofPart: nil)
      #expect(all.count == 3)
      var found = try await stores.other.uploads(ofPart: "one")
      #expect(found == [marks[1], marks[0]])
      var elsewhere = marks[1]
      elsewhere.place = "s3://bucket/other"
      try await stores.other.endUpload(elsewhere)
      try await stores.other.endUpload(marks[1])
      found = try await stores.one.uploads(ofPart: "one")
      #expect(found == [marks[0]])
      found = try await stores.one.uploads(ofPart: "two")
      #expect(found == [marks[2]])
    },
    ContractCheck("P23 the uploads of two servers are two, whatever their keys and ids") { stores in
      var there = mark("a", part: "one", at: 2)
      there.signature?.endpoint = try url("http://h:9000/")
      let here = mark("a", part: "one", at: 1)
      for mark in [here, there] { try await stores.one.beginUpload(mark) }
      var found = try await stores.other.uploads(ofPart: "one")
      #expect(found == [here, there])
      try await stores.other.endUpload(here)
      found = try await stores.one.uploads(ofPart: nil)
      #expect(found == [there])
      try await stores.one.endUpload(there)
      found = try await stores.other.uploads(ofPart: nil)
      #expect(found.isEmpty)
    },
    ContractCheck("P23 an object is its server, bucket and key, as a source and as a target") { stores in
      func job(_ source: String?, _ target: String?, _ url: String = "s3://bucket/f", region: String = "eu-west-1")
        throws -> JobSpecification
      {
        func signature(_ server: String?) throws -> AWSSignature {
          var signature = AWSSignature(region: region)
          signature.endpoint = try server.map { try StoreTesting.url("http://\($0):9000/") }
          return signature
        }
        var job = try specification(url, output: "x")
        job.directory = "s3://bucket/p"
        job.request.signature = try signature(source)
        job.objectOptions.access = ObjectAccess(signature: try signature(target))
        return job
      }
      let jobs = [try job("a", nil), try job("a", "a"), try job("a", "b")]
      let ids = try await stores.one.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
      #expect(Set(ids).count == 3)
      let again = try await stores.other.add(jobs, marks: [], now: 2, seen: nil).map(\.id)
      #expect(again == ids)
      var found: [JobID?] = []
      for one in try jobs + [job("b", "a"), job("a", nil, region: "cn-north-1")] {
        found.append(try await stores.other.find(one.key)?.id)
      }
      #expect(found == ids + [nil, nil])
      // The same object of one server has one unfinished job (N6).
      let other = try job("a", "b", "s3://bucket/g")
      await #expect(throws: Failure.self) { try await stores.one.add([other], marks: [], now: 3, seen: nil) }
      let elsewhere = try job("a", "c", "s3://bucket/g")
      let third = try await stores.one.add([elsewhere], marks: [], now: 4, seen: nil)[0].id
      // Nor does a change lead there.
      let before = try #require(try await stores.one.job(third))
      await #expect(throws: Failure.self) {
        try await stores.one.change([JobRevision(before, other)], runner: nil, now: 5)
      }
      let runner = UUID()
      _ = try await stores.one.claim(runner)
      _ = try await stores.one.finish([.sample(ids[1])], runner: runner, now: 6)
      var complete: [JobID?] = []
      for server in ["http://a:9000", "http://b:9000", nil] {
        complete.append(try await stores.other.completeJob(named: "x", in: "s3://bucket/p", at: server)?.id)
      }
      #expect(complete == [ids[1], nil, ids[1]])
    },
    ContractCheck("the parts of an upload belong to a checkpoint") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      var checkpoint = Checkpoint(segments: SegmentSet(0..<8 << 20), size: 1 << 30)
      checkpoint.upload = ObjectUpload(
        key: "p/f", id: "u", plan: .unknownLength, algorithm: .crc64nvme,
        parts: [.init(number: 1, size: 8 << 20, etag: "e", checksum: "c", tail: "t")])
      _ = try await stores.one.checkpoint([(id, checkpoint)], since: [:], expecting: [], runner: runner)
      var job = try await stores.other.job(id)
      #expect(job?.checkpoint.upload == checkpoint.upload)
      _ = try await stores.one.forgetCheckpoint(id, runner: runner, note: nil)
      job = try await stores.other.job(id)
      #expect(job?.checkpoint.upload == nil)
      _ = try await stores.one.checkpoint([(id, checkpoint)], since: [:], expecting: [], runner: runner)
      _ = try await stores.one.finish([.sample(id)], runner: runner, now: 3)
      job = try await stores.other.job(id)
      #expect(job?.state == .complete && job?.checkpoint.upload == nil)
    },
  ]
}
