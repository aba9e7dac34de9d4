// Which jobs are only a transfer, option by option. A new option fails a test here until it is classified.

import Testing

@testable import DrayCore

@Suite struct PlainJobTests {
  /// A property of `JobOptions`, a value, and whether a job with this value is plain, and starts plainly.
  struct Row: Sendable, CustomStringConvertible {
    var property: String
    var isPlain: Bool
    var startsPlain: Bool
    var set: @Sendable (inout JobOptions) throws -> Void

    init(
      _ property: String, _ isPlain: Bool, starts startsPlain: Bool? = nil,
      _ set: @escaping @Sendable (inout JobOptions) throws -> Void
    ) {
      (self.property, self.isPlain, self.set) = (property, isPlain, set)
      self.startsPlain = startsPlain ?? isPlain
    }

    var description: String { property }
  }

  private static let digest = DigestValue(.md5, bytes: Array(repeating: 0, count: 16))
  private static let file = FileIdentity(device: 1, inode: 2, size: 3, modified: 4)

  static let rows: [Row] = [
    Row("onConflict", true) { $0.onConflict = .overwrite },
    Row("resume", true) { $0.resume = .never },
    Row("retries", true) { $0.retries = 0 },
    Row("retryWait", true) { $0.retryWait = 2 },
    Row("maxRetryWait", true) { $0.maxRetryWait = 2 },
    Row("retriesAll", true) { $0.retriesAll = true },
    Row("retryStatuses", true) { $0.retryStatuses = [] },
    Row("rateLimit", true) { $0.rateLimit = 1000 },
    Row("maxTime", false) { $0.maxTime = 60 },
    Row("maxSize", true) { $0.maxSize = 1000 },
    Row("digest", false, starts: true) { $0.digest = digest },
    Row("digest", false, starts: true) { ($0.digest, $0.verify) = (digest, .auto) },
    Row("digestSource", true) { $0.digestSource = .given },
    Row("verify", true) { $0.verify = .offered },
    Row("verify", true) { $0.verify = VerifyMode.none },
    Row("verify", false) { $0.verify = .auto },
    Row("verify", false) { $0.verify = .require },
    Row("verifyKey", true) { $0.verifyKey = "/key" },
    Row("expectedSize", false, starts: true) { $0.expectedSize = 1000 },
    Row("expectedType", true) { $0.expectedType = ExpectedType("application/zip") },
    Row("allowedTypes", true) { $0.allowedTypes = [] },
    Row("mirrors", false) { $0.mirrors = [try url("http://m/f")] },
    Row("maxConnections", true) { $0.maxConnections = 1 },
    Row("inOrder", true) { $0.inOrder = true },
    Row("pieces", true) { $0.pieces = PieceHashes(algorithm: .sha1, length: 1, hashes: ["a"]) },
    Row("seeding", false) { $0.seeding = Seeding(files: ["/old"]) },
    Row("partStem", true) { $0.partStem = "f" },
    Row("partDirectory", false) { $0.partDirectory = "/t" },
    Row("recordsOrigin", true) { $0.recordsOrigin = true },
    Row("keepsArrivalTime", true) { $0.keepsArrivalTime = true },
    Row("isOneOff", true) { $0.isOneOff = true },
    Row("isListed", true) { $0.isListed = true },
    Row("hooks", true) { $0.hooks = Hooks() },
    Row("repairs", false) { $0.repairs = file },
    Row("replaces", true) { $0.replaces = file },
    Row("adopts", false) { $0.adopts = Adoption(path: "/p", identity: file) },
    Row("lateRules", false) { $0.lateRules = [LateRule(place: "c:1", conditions: [:], directory: "/v", values: [:])] },
    Row("object", true) { $0.object = ObjectOptions() },
    Row("labels", true) { $0.labels = [] },
    Row("askedDirectory", true) { $0.askedDirectory = "/asked" },
    Row("source", true) { $0.source = SourceReference(name: "hf:a/b", path: "f") },
    Row("source", false, starts: true) {
      $0.source = SourceReference(name: "hf:a/b", path: "f", arrangements: [.link(path: "l")])
    },
    Row("moving", true) {
      $0.moving = PartMove(from: DirectoryPlace("/old"), to: DirectoryPlace("/new"), state: .paused)
    },
  ]

  private func specification(
    _ change: (inout JobSpecification) throws -> Void
  ) throws -> JobSpecification {
    var specification = JobSpecification(request: TransferRequest(url: try url("http://h/f")), directory: "/d")
    try change(&specification)
    return specification
  }

  private func isPlain(_ change: (inout JobSpecification) throws -> Void) throws -> Bool {
    try specification(change).isPlain
  }

  @Test("a job is not plain if an option needs a step before or after the transfer", arguments: rows)
  func options(_ row: Row) throws {
    let found = try specification { try row.set(&$0.options) }
    #expect(found.isPlain == row.isPlain)
    #expect(found.startsPlain == row.startsPlain)
  }

  @Test("every option is classified")
  func allOptions() {
    let properties = Mirror(reflecting: JobOptions()).children.compactMap(\.label).map { label in
      label.hasPrefix("_") ? String(label.dropFirst()) : label
    }
    #expect(Set(properties) == Set(PlainJobTests.rows.map(\.property)))
  }

  @Test("a job is not plain if its request must not be repeated, or is conditional")
  func requests() throws {
    let plain = try [
      isPlain { _ in },
      isPlain { $0.request.method = "HEAD" },
      isPlain { $0.request.cache = CachePolicy(noCache: true) },
    ]
    #expect(plain == [true, true, true])
    let more = try [
      isPlain { $0.request.method = "POST" },
      isPlain { $0.request.cache = CachePolicy(ifChanged: TargetBaseline()) },
    ]
    #expect(more == [false, false])
  }
}
