// The fixture of tests of whole transfers: a server, an engine and a directory.

import DrayCore
import DrayEngine
import FaultServer
import Testing

/// The three, for one test.
struct Site {
  let server: FaultServer
  let engine: Engine
  let directory: TemporaryDirectory

  /// Runs `body` with `version` at `/file`, answered by `script`; stops everything after it.
  ///
  /// `helpful` is how many connections are known to help there: as many are opened without measuring.
  static func use(
    _ version: FaultServer.Version = .named("v1", size: 300_000), _ script: FaultServer.Answer...,
    helpful: Int? = nil, body: (Site) async throws -> Void
  ) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let known = helpful.map { ["http://127.0.0.1:\(server.port)": $0] } ?? [:]
    let engine = try Engine(connections: ConnectionMemory(known))
    defer { engine.stop() }
    server["/file"] = .init(version, script: script)
    try await body(Site(server: server, engine: engine, directory: try TemporaryDirectory()))
  }

  func request(_ path: String = "/file") throws -> TransferRequest {
    var request = TransferRequest(url: try url(server.url(path)))
    request.proxy = ""
    // A gate may stay closed for as long as a slow machine needs to look.
    request.stallTimeout = 600
    return request
  }

  /// A plan for `request`, or for `/file`.
  func plan(
    _ request: TransferRequest? = nil, recorded: Checkpoint = Checkpoint(), resume: ResumeMode = .safe,
    digestIsKnown: Bool = false, limiters: [RateLimiter] = []
  ) throws -> TransferPlan {
    try TransferPlan(
      request: try request ?? self.request(), destination: try directory.destination(), partName: "part",
      recorded: recorded,
      resume: resume, digestIsKnown: digestIsKnown, limiters: limiters)
  }

  /// Puts the first `count` bytes of `version` into the part file.
  /// - Returns: the checkpoint that covers them.
  func receivedBefore(_ count: Int64, of version: FaultServer.Version) throws -> Checkpoint {
    try directory.write(version.content.bytes(in: 0..<count), to: "part")
    return Checkpoint(
      segments: SegmentSet(0..<count), size: version.content.size,
      validators: Validators(etag: version.etag, lastModified: version.lastModified),
      provenance: Provenance(url: try RequestURL.parse(server.url("/file")).url))
  }

  func run(_ plan: TransferPlan, _ watcher: Watcher = Watcher()) async -> TransferOutcome {
    await engine.start(plan, observer: watcher).outcome()
  }

  /// Runs `plan` while answers wait at `gate`, which opens once `moment` holds.
  func run(
    _ plan: TransferPlan, _ watcher: Watcher = Watcher(), holding gate: FaultServer.Gate, until moment: () -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> TransferOutcome {
    let transfer = engine.start(plan, observer: watcher)
    let hasCome = await eventually(moment)
    #expect(hasCome, "what the gate waits for", sourceLocation: sourceLocation)
    gate.open()
    return await transfer.outcome()
  }

  /// The difference between the part file and `version`; `nil` for none.
  func difference(_ version: FaultServer.Version) -> String? {
    version.content.difference(fromFileAt: directory["part"])
  }

  /// The requests for `/file` so far, by range.
  var ranges: [String?] { server.requests("/file").map { $0["Range"] } }

  /// The number of requests for `/file` that were answered with 503.
  var refusals: Int { server.requests("/file").count { $0.status == 503 } }
}

extension TransferOutcome {
  /// The length of a complete file.
  var wholeSize: Int64? { if case .whole(_, let size, _) = end { size } else { nil } }
  /// The proof of a complete file's length.
  var proof: LengthProof? { if case .whole(_, _, let proof) = end { proof } else { nil } }
  /// The transfer's failure.
  var failure: Failure? { if case .failed(let failure) = end { failure } else { nil } }
  var isCancelled: Bool { if case .cancelled = end { true } else { false } }
}

extension FaultServer.SeenRequest {
  /// Whether it requests at most a sample: for a comparison.
  var isSample: Bool {
    guard let range = self["Range"] else { return false }
    let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int64($0) }
    return ends.count == 2 && ends[1] - ends[0] < MirrorSample.length
  }
}
