public import DrayCore

/// One attempt at a job: the request, the bytes on disk, and the destination.
public struct TransferPlan: Sendable {
  public var request: TransferRequest
  public var destination: any Destination
  public var partName: String
  /// The part to continue; `nil` if there is none.
  public var part: (any PartStorage)?
  /// The bytes that are certainly durable and present.
  public var checkpoint: Checkpoint
  /// Whether the durable record covers any bytes, present or not. It must not cover bytes any more when they are
  /// replaced.
  public var recordHasBytes: Bool
  /// Why the file starts over, if that is known before the first request.
  public var startOver: StartOver?
  public var isLastTry = false
  /// Whether this is the first try; only then is a server that refuses the whole file asked for a range.
  public var isFirstTry = true
  /// Statuses that the user counts as temporary.
  public var retried: [StatusPattern] = []
  /// Whether an attempt has started over after a 416 since the user last asked for the file.
  public var hadUnsatisfied = false
  /// Whether a listing named the file, so that the answer must not be a directory.
  public var isListed = false
  public var resume: ResumeMode
  /// Whether a digest will prove the result.
  public var digestIsKnown: Bool
  /// The requirements on the file; the engine only computes the digest, which the caller compares.
  public var expected = ExpectedFile()
  /// Which other digests count.
  public var verify = VerifyMode.offered
  /// The maximum number of connections that fetch the file at once.
  public var maxConnections = 1
  /// Returns that maximum when the answer and the length of the file are known; `nil` leaves it as it is. Called on the
  /// loop's thread.
  public var connectionsForAnswer: (@Sendable (ResponseRecord, Int64?) -> Int?)?
  /// The maximum number of connections to the origin, including those of other files.
  public var maxPerOrigin = ConnectionShare.usual
  /// Whether to open a connection, even if an open one has room for another stream.
  public var opensConnection = false
  /// Whether recorded bytes are missing, because the part file was truncated. New bytes must then be written in order
  /// until the record is corrected.
  public private(set) var isShort = false
  /// Whether gaps may be filled one by one. If not, only the bytes before the first gap are used.
  private let fillsGaps: Bool
  /// Requests for other URLs of the same file. Mirrors whose file differs are not used.
  public var mirrors: [TransferRequest] = []
  /// The condition of a request for the whole file: the file's version must differ from the target's.
  public var condition: CacheCondition?
  /// The number of wrong parts in this attempt. After one, the next answer must prove where its bytes belong.
  var wrongParts = 0
  /// Whether the body of the answer is kept; the answer to an upload may be dropped.
  public var keepsAnswer = true
  /// How many bytes were on disk when several connections last left the rest to the job's own connection; `nil` if they
  /// never did.
  var askedAlone: Int64?
  /// Initial cookies, as lines in the Netscape format; `nil` sends none and keeps none.
  public var cookies: [String]?
  /// The rate limits: the job's, and the shared one.
  public var limiters: [RateLimiter]
  /// The engine's settings by patterns of hosts, in addition to ``request``.
  var hosts = HostRules()

  /// Checks the bytes on disk, and plans an attempt that keeps them. Blocks the thread.
  /// - Parameter recorded: The durable record.
  /// - Throws: An error if the part cannot be checked.
  public init(
    request: TransferRequest, destination: any Destination, partName: String, recorded: Checkpoint,
    resume: ResumeMode, digestIsKnown: Bool, limiters: [RateLimiter] = []
  ) throws(Failure) {
    self.request = request
    self.destination = destination
    self.partName = partName
    self.resume = resume
    self.digestIsKnown = digestIsKnown
    self.limiters = limiters
    // The answer to an unsafe request is never continued (P10).
    recordHasBytes = request.isSafe && !recorded.segments.isEmpty
    checkpoint = Checkpoint()
    // Gaps are filled one by one only if a condition ties each of them to the version, or a digest will prove the
    // result.
    let isIdentified = !recorded.validators.isWeak || digestIsKnown
    fillsGaps = isIdentified && Scheme(request.url)?.speaksHTTP ?? true
    guard recordHasBytes else { return }

    guard let file = try destination.openPart(partName, recorded: recorded) else {
      startOver = recorded.upload == nil ? .partFileLost : .uploadLost
      return
    }
    let present = try file.identity().size
    // Only bytes that are durable and present count.
    var kept = recorded.segments.clamped(to: 0..<present)
    // An upload that has lost some parts keeps the others, because no later bytes are written in their place.
    let holding = file.holding
    if let holding { kept = kept.intersection(holding) }
    if !fillsGaps { kept = SegmentSet(0..<kept.prefix) }
    if kept.isEmpty || present > recorded.size ?? .max {
      startOver = recorded.upload == nil ? .partFileLost : .uploadLost
      return
    }
    // The part file was truncated, and until that is recorded, the record covers missing bytes. Bytes are written in
    // order until then, so that all bytes before the end are present (P4).
    if holding == nil, kept != recorded.segments {
      isShort = true
      kept = SegmentSet(0..<kept.prefix)
      if kept.isEmpty {
        startOver = .partFileLost
        return
      }
    }
    part = file
    checkpoint = recorded
    checkpoint.segments = kept
  }

  /// Continues exactly these bytes, with the checksums `sums`; starts over if they cannot be used.
  public mutating func build(on segments: SegmentSet, _ sums: BlockSums) {
    let kept = fillsGaps ? segments : SegmentSet(0..<segments.prefix)
    checkpoint.segments = kept
    checkpoint.sums = sums.restricted(to: kept)
    if kept.isEmpty { (part, checkpoint, startOver) = (nil, Checkpoint(), .partFileLost) }
  }

  /// Starts over: the bytes of earlier attempts are discarded once no durable record covers them.
  public mutating func startOver(_ reason: StartOver) { (checkpoint, startOver) = (Checkpoint(), reason) }

  /// Returns the digests to compute during the transfer, if the server offers `offered`. The algorithm of a list beside
  /// the file is not known yet, but nearly all lists use SHA-256. For an upload, which cannot be read back, the
  /// algorithms of all lists are computed.
  func algorithms(offered: [SourcedDigest]) -> [DigestAlgorithm] {
    let known = DigestCheck(binding: expected.digest.map { [SourcedDigest($0, .given)] } ?? [], offered: offered)
      .algorithms
    guard verify.looksBeside, expected.digest == nil else { return known }
    if !destination.traits.readsParts { return known + TransferPlan.ofLists.filter { !known.contains($0) } }
    return known.isEmpty ? [.sha256] : known
  }

  private static let ofLists: [DigestAlgorithm] = [.sha256, .sha512, .sha384, .sha1, .md5]

  /// Whether a file of `size` bytes is gathered in large buffers and does not stay in memory. It stays if it cannot be
  /// continued, because it is then read again at the end, to hash it.
  func gathersMuch(of size: Int64?, offered: [SourcedDigest]) -> Bool {
    BodyWriter.isLarge(size) && (request.isSafe || algorithms(offered: offered).isEmpty)
  }

  func offered(by head: ResponseHead) -> [SourcedDigest] { verify == .none ? [] : head.offeredDigests }

  func offered(by trailers: [HeaderField], of head: ResponseHead) -> [SourcedDigest] {
    verify == .none ? [] : head.offeredDigests(in: trailers)
  }

  /// Limits the connections to the origin, including those of other files; `nil` keeps the default.
  public mutating func limitPerOrigin(_ most: Int?) {
    guard let most else { return }
    (maxConnections, maxPerOrigin) = (min(maxConnections, most), most)
  }

  /// Whether all bytes are present, so that no request is needed.
  public var isWhole: Bool { checkpoint.size.map { checkpoint.segments.isWhole($0) } ?? false }
}
