// Jobs and answers that the suites share: one with nothing in it, one with everything.

import DrayKit
import DrayStore
import DrayWire
import Foundation

@testable import DrayKit

enum Samples {
  static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))

  static func specification(_ url: String = "http://h/f?token=s3cret") throws -> JobSpecification {
    JobSpecification(request: TransferRequest(url: try RequestURL.parse(url).url), directory: "/d")
  }

  /// A job that was just queued.
  static func job() throws -> Job { Job(id: 1, uuid: uuid, specification: try specification(), addedAt: 1.25) }

  static func facts() -> JobFacts {
    do {
      return JobFacts(try job(), live: nil, names: .plain, isFile: { _ in false })
    } catch {
      fatalError("\(error)")
    }
  }

  /// A job with every field.
  static func full() throws -> (job: Job, attempts: [AttemptRecord]) {
    var job = try job()
    let digest = SourcedDigest(try DigestValue.parse("sha-256=" + String(repeating: "0f", count: 32)), .given)
    job.specification.request.headers = [HeaderField("X-Api-Key", "s3cret")]
    job.specification.request.userAgent = "t/1"
    job.specification.options.digest = digest.digest
    job.specification.options.expectedSize = 9
    job.specification.options.expectedType = ExpectedType("image/*")
    job.specification.options.mirrors = [try RequestURL.parse("http://m/f").url]
    job.specification.options.rateLimit = 1000
    job.specification.options.adopts = try adoption()
    job.specification.startAt = 3
    job.specification.window = try TransferWindow.parse("01:00-07:00")
    job.fileName = "f"
    job.state = .interrupted
    job.attempts = 2
    job.notBefore = 9.5
    job.checkpoint = Checkpoint(
      segments: SegmentSet(0..<5), size: 9, validators: Validators(etag: "\"v1\""), offered: [digest])
    job.response = try response()
    job.failure = EventJSONTests.failure
    job.note = "a note"
    job.group = GroupLabel(id: 3, name: "pub")
    let attempts = [
      AttemptRecord(startedAt: 1, endedAt: 2, outcome: "interrupted", message: "cut", firstByte: 0, lastByte: 4),
      AttemptRecord(startedAt: 3, endedAt: 4, outcome: "failed", runner: "node19"),
    ]
    return (job, attempts)
  }

  /// A partial file of aria2 that was used in part.
  static func adoption() throws -> Adoption {
    Adoption(
      path: "/d/f", identity: FileIdentity(device: 1, inode: 2, size: 9, modified: 4),
      control: Adoption.ControlFile(path: "/d/f.aria2", size: 9, done: SegmentSet(0..<5)),
      outcome: Adoption.Outcome(taken: 5, compared: 3, differing: 1, refusal: "x"))
  }

  /// An answer over TLS, after a redirect, with links.
  static func response() throws -> ResponseRecord {
    let url = try RequestURL.parse("https://h/f?token=s3cret").url
    let head = ResponseHead(
      status: 200,
      fields: [
        HeaderField("Content-Type", "text/plain; charset=utf-8"), HeaderField("Content-Length", "9"),
        HeaderField("Accept-Ranges", "bytes"), HeaderField("ETag", "\"v1\""), HeaderField("Set-Cookie", "a=s3cret"),
        HeaderField("Link", "<https://m/f>; rel=duplicate; pri=1"),
      ])
    let hop = FollowedRedirect(
      url: try RequestURL.parse("http://h/f").url,
      head: ResponseHead(status: 302, fields: [HeaderField("Location", "https://h/f?token=s3cret")]))
    let certificate = CertificateRecord(subject: "h", issuer: "CA", names: ["h"], notBefore: 1, notAfter: 2)
    let connection = ConnectionRecord(
      address: "127.0.0.1", port: 443, isReused: false,
      tls: TLSRecord(version: "TLSv1.3", cipher: nil, certificate: certificate),
      timings: RequestTimings(nameLookup: 0, connect: 0.25, tls: 0.5, firstByte: 1, total: nil))
    return ResponseRecord(
      finalURL: url, redirects: ["http://h/f"], head: head, time: 5.5, hops: [hop], connection: connection)
  }
}
