// The jobs that may be transferred in a batch of small files: only those without extra steps.

import DrayCore
import Foundation
import Testing

@Suite struct BatchTests {
  private func job(_ url: String = "http://h/a", _ change: (inout Job) throws -> Void = { _ in }) throws -> Job {
    let request = TransferRequest(url: try RequestURL.parse(url).url)
    var job = Job(
      id: 1, uuid: UUID(), specification: JobSpecification(request: request, directory: "/d"), addedAt: 1)
    job.attempts = 1
    try change(&job)
    return job
  }

  private static let digest = "00112233445566778899aabbccddeeff"

  @Test func plainJobsFit() throws {
    #expect(try job().fitsBatch)
    #expect(try job("https://h/a").fitsBatch)
    let named = try job {
      ($0.fileName, $0.specification.output) = ("o", "o")
      $0.specification.request.headers = [HeaderField("X-A", "1")]
      $0.specification.options.verify = VerifyMode.none
    }
    #expect(named.fitsBatch)
  }

  @Test("a job fits with what a source knows of its file: length, digest, links, fields of its origin")
  func jobsOfSourcesFit() throws {
    let digests = [
      "md5=\(Self.digest)", "git-sha1=\(Self.digest)01234567", "sha-256=\(Self.digest)\(Self.digest)",
    ]
    for text in digests {
      for verify in [nil, VerifyMode.offered, VerifyMode.none, .auto, .require] {
        let known = try job("https://h/a") {
          $0.specification.options.digest = try DigestValue.parse(text)
          $0.specification.options.digestSource = DigestSource(rawValue: "the hub")
          $0.specification.options.expectedSize = 5
          $0.specification.options.verify = verify
          $0.specification.options.source = SourceReference(
            name: "hf:a/b", path: "f", arrangements: [.link(path: "snapshots/1/f")])
          $0.specification.request.headers = [HeaderField("Authorization", "Bearer t")]
        }
        #expect(known.fitsBatch, "\(text), \(verify?.rawValue ?? "no mode")")
        // Its digest is compared at the end, also where an attempt takes it over.
        #expect(!known.specification.isPlain)
      }
    }
  }

  @Test func everythingElseDoesNot() throws {
    let changes: [(String, (inout Job) throws -> Void)] = [
      ("a second attempt", { $0.attempts = 2 }),
      ("a retry", { $0.retry.used = 1 }),
      ("bytes on disk", { $0.checkpoint.segments = SegmentSet(0..<5) }),
      ("a started publish", { $0.publishing = FileIdentity(device: 1, inode: 2, size: 3, modified: 4) }),
      ("a named queue", { $0.specification.queue = "night" }),
      ("another method", { $0.specification.request.method = "HEAD" }),
      ("credentials", { $0.specification.request.credentials = Credentials(user: "u", password: "p") }),
      ("a .netrc", { $0.specification.request.netrcFile = "/n" }),
      ("cookies", { $0.specification.request.cookies = CookieOptions() }),
      ("a random pause", { $0.specification.request.jitter = 1 }),
      ("a rate limit", { $0.specification.options.rateLimit = 1 }),
      ("a maximum size", { $0.specification.options.maxSize = 1 }),
      ("a digest that must be found", { $0.specification.options.verify = .require }),
      ("a digest that is looked for", { $0.specification.options.verify = .auto }),
      (
        "hashes of pieces",
        { $0.specification.options.pieces = PieceHashes(algorithm: .sha1, length: 1, hashes: ["a"]) }
      ),
      ("mirrors", { $0.specification.options.mirrors = [] }),
      ("another directory for the part", { $0.specification.options.partDirectory = "/t" }),
    ]
    for (what, change) in changes {
      let fits = try job("http://h/a", change).fitsBatch
      #expect(!fits, "\(what)")
    }
    #expect(try !job("ftp://h/a").fitsBatch)
  }
}
