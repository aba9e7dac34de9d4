// `dray verify`: which files are checked, and the words for a changed one.

import DrayKit
import Foundation
import Testing

@testable import DrayCommands

@Suite("Verify in words")
struct VerifyTextTests {
  private static func digest(_ byte: UInt8) -> DigestValue {
    DigestValue(.sha256, bytes: Array(repeating: byte, count: 32))
  }

  private static func job(_ id: Int64, at time: Double, modified: Int64, digest: DigestValue? = nil) throws -> Job {
    let url = try RequestURL.parse("http://h/f").url
    var job = Job(
      id: id, uuid: UUID(), specification: JobSpecification(request: TransferRequest(url: url), directory: "/d"),
      addedAt: 0)
    (job.state, job.fileName, job.finishedAt, job.digest) = (.complete, "f", time, digest)
    job.published = FileIdentity(device: 1, inode: 2, size: 3, modified: modified)
    return job
  }

  @Test("a recorded digest is called so, and the present one stands beside it")
  func difference() {
    let (then, now) = (Self.digest(1), Self.digest(2))
    let computed = Verify.difference(SourcedDigest(then, .computed), now: now)
    #expect(computed == "; recorded: \(then.hex), is now \(now.hex)")
    #expect(Verify.difference(SourcedDigest(then, .given), now: now).hasPrefix("; given: "))
    #expect(Verify.difference(nil, now: now).isEmpty)
  }

  @Test("a file of two jobs is checked once: as the last one wrote it")
  func files() throws {
    let digest = Self.digest(1)
    let first = try Self.job(1, at: 10, modified: 5, digest: digest)
    // The same file again: the digest of the first job is still the file's.
    let same = Verify.files([first, try Self.job(2, at: 20, modified: 5)])
    #expect(same.map(\.job.id) == [2] && same.map(\.expected?.digest) == [digest])
    // Another file: that digest is of the former one.
    let other = Verify.files([first, try Self.job(2, at: 20, modified: 6)])
    #expect(other.map(\.job.id) == [2] && other.map(\.expected?.digest) == [nil])
    // The job that finished last decides, regardless of its number.
    let again = Verify.files([
      try Self.job(1, at: 30, modified: 6, digest: digest), try Self.job(2, at: 20, modified: 5),
    ])
    #expect(again.map(\.job.id) == [1] && again.map(\.expected?.digest) == [digest])
  }
}
