// The task of an attempt.

public import DrayCore

/// One attempt at a job: the request, the bytes on disk, and the destination.
public struct TransferPlan: Sendable {
  /// The request.
  public var request: TransferRequest
  /// The destination of the target.
  public var destination: any Destination
  /// The name of its part at the destination.
  public var partName: String
  /// The part to continue, if any.
  public var part: (any PartStorage)?
  /// The bytes that are certainly durable and present.
  public var checkpoint: Checkpoint
  /// Whether the durable record claims bytes, present or not. It must give them up before they are replaced.
  public var recordClaimsBytes: Bool
  /// The reason to start over, if it is known before the first request.
  public var startOver: StartOver?
  /// Whether this is the last try.
  public var isLastTry = false
  /// Whether no try came before this one. Only then a server that refuses the whole is asked for a range.
  public var isFirstTry = true
  /// The statuses that the user counts as temporary.
  public var retried: [StatusPattern] = []
  /// Whether an attempt since the user last asked for the file started over after a 416.
  public var hadUnsatisfied = false
  /// Whether a listing named the file, so that it must not be a directory.
  public var isListed = false
  /// The resume mode.
  public var resume: ResumeMode
  /// Whether a digest will prove the result.
  public var digestIsKnown: Bool
  /// The requirements on the file. The engine computes the digest, and leaves the comparison to its caller.
  public var expected = ExpectedFile()
  /// The mode that decides which other digests count.
  public var verify = VerifyMode.offered
  /// The maximum number of connections that fetch the file at once.
  public var maxConnections = 1
  /// Returns that number once the answer and the length of the file are known; `nil` keeps it. Called on the loop's
  /// thread.
  public var connectionsForAnswer: (@Sendable (ResponseRecord, Int64?) -> Int?)?
  /// The maximum number of connections to its origin, including those of other files.
  public var maxPerOrigin = ConnectionShare.usual
  /// Whether it opens a connection, although another one has room for its stream.
  public var opensConnection = false
  /// Whether claimed bytes are missing, because the part file was truncated. Until that is recorded, bytes must be
  /// written in order.
  public private(set) var isShort = false
  /// Whether gaps may be filled one by one. Otherwise only the bytes from the start to the first gap are used.
  private let fillsGaps: Bool
  /// Requests for other URLs of the same file. A mirror that differs is not used.
  public var mirrors: [TransferRequest] = []
  /// The condition of a request for the whole file: its version differs from the target's.
  public var condition: CacheCondition?
  /// The number of wrong parts so far in this attempt. After one, the next answer must prove its position.
  var wrongParts = 0
  /// Whether to keep the body of the answer. The answer to an upload may be dropped.
  public var keepsAnswer = true
  /// The number of bytes on disk when several connections last left the rest to the job's own connection; `nil` if they
  /// never did.
  var askedAlone: Int64?
  /// The initial cookies, lines in Netscape's format; `nil` sends none and keeps none.
  public var cookies: [String]?
  /// The rate limits: the job's, and the shared one.
  public var limiters: [RateLimiter]
  /// The engine's settings by patterns of hosts, in addition to ``request``.
  var hosts = HostRules()

  /// Checks the bytes on disk and plans an attempt from them. Blocks.
  /// - Parameter recorded: The claims of the durable record.
  /// - Throws: If the part cannot be checked.
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
    recordClaimsBytes = request.isSafe && !recorded.segments.isEmpty
    checkpoint = Checkpoint()
    // Gaps are filled one by one only if a condition ties each to the version, or a digest proves the result.
    let isIdentified = !recorded.validators.isWeak || digestIsKnown
    fillsGaps = isIdentified && Scheme(request.url)?.speaksHTTP ?? true
    guard recordClaimsBytes else { return }

    guard let file = try destination.openPart(partName, recorded: recorded) else {
      startOver = recorded.upload == nil ? .partFileLost : .uploadLost
      return
    }
    let present = try file.identity().size
    // Only durable and present bytes count.
    var kept = recorded.segments.clamped(to: 0..<present)
    // Without some of its parts, an upload keeps the others: nothing is written behind them in their place.
    let holding = file.holding
    if let holding { kept = kept.intersection(holding) }
    if !fillsGaps { kept = SegmentSet(0..<kept.prefix) }
    if kept.isEmpty || present > recorded.size ?? .max {
      startOver = recorded.upload == nil ? .partFileLost : .uploadLost
      return
    }
    // The part file was truncated. Until that is recorded, the record claims missing bytes. Written in order, only
    // written bytes are present (P4).
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

  /// Continues exactly these bytes, with their checksums `sums`; starts over if they cannot be used.
  public mutating func build(on segments: SegmentSet, _ sums: BlockSums) {
    let kept = fillsGaps ? segments : SegmentSet(0..<segments.prefix)
    checkpoint.segments = kept
    checkpoint.sums = sums.restricted(to: kept)
    if kept.isEmpty { (part, checkpoint, startOver) = (nil, Checkpoint(), .partFileLost) }
  }

  /// Starts over, and discards the bytes of earlier attempts once no durable record claims them.
  public mutating func startOver(_ reason: StartOver) { (checkpoint, startOver) = (Checkpoint(), reason) }

  /// Returns the digests to compute during the transfer, if the server offers these. The algorithm of a list next to
  /// the file is still unknown; nearly all use SHA-256. An upload cannot be read at its end, so all algorithms of lists
  /// are computed.
  func algorithms(offered: [SourcedDigest]) -> [DigestAlgorithm] {
    let known = DigestCheck(binding: expected.digest.map { [SourcedDigest($0, .given)] } ?? [], offered: offered)
      .algorithms
    guard verify.looksBeside, expected.digest == nil else { return known }
    if !destination.traits.readsParts { return known + TransferPlan.ofLists.filter { !known.contains($0) } }
    return known.isEmpty ? [.sha256] : known
  }

  /// The algorithms of digest lists.
  private static let ofLists: [DigestAlgorithm] = [.sha256, .sha512, .sha384, .sha1, .md5]

  /// Whether a file of `size` bytes is gathered in large buffers and does not stay in memory. A file that cannot be
  /// continued is hashed at its end, and so read again.
  func gathersMuch(of size: Int64?, offered: [SourcedDigest]) -> Bool {
    BodyWriter.isLarge(size) && (request.isSafe || algorithms(offered: offered).isEmpty)
  }

  /// Returns the digests of an answer that count.
  func offered(by head: ResponseHead) -> [SourcedDigest] { verify == .none ? [] : head.offeredDigests }

  /// Returns the digests in the trailers of an answer that count.
  func offered(by trailers: [HeaderField], of head: ResponseHead) -> [SourcedDigest] {
    verify == .none ? [] : head.offeredDigests(in: trailers)
  }

  /// Limits the connections to its origin, including those of other files; `nil` keeps the default.
  public mutating func limitPerOrigin(_ most: Int?) {
    guard let most else { return }
    (maxConnections, maxPerOrigin) = (min(maxConnections, most), most)
  }

  /// Whether every byte is already present, so that no request is needed.
  public var isWhole: Bool { checkpoint.size.map { checkpoint.segments.isWhole($0) } ?? false }
}
