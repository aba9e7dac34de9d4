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
      try await stores.other.endUpload("b", key: "p/f", place: "s3://bucket/other")
      try await stores.other.endUpload("b", key: "p/f", place: "s3://bucket/p")
      found = try await stores.one.uploads(ofPart: "one")
      #expect(found == [marks[0]])
      found = try await stores.one.uploads(ofPart: "two")
      #expect(found == [marks[2]])
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
