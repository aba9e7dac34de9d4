public import DrayCore

/// One attempt at a job: the request, the bytes on disk, and the destination.
public struct TransferPlan: Sendable {
  public var request: TransferRequest
  public var destination: any Destination
  public var partName: String
  /// The part to continue; `nil` to start without one.
  public var part: (any PartStorage)?
  /// The bytes that are certainly durable and present.
  public var checkpoint: Checkpoint
  /// Whether the durable record covers any bytes, present or not. When bytes are replaced, the record must not cover
  /// them any more.
  public var recordHasBytes: Bool
  /// The reason why the file starts over, if that is known before the first request.
  public var startOver: StartOver?
  public var isLastTry = false
  /// Whether this is the first try. Only then is a range requested from a server that refuses the whole file.
  public var isFirstTry = true
  /// Statuses that count as temporary according to the user.
  public var retried: [StatusPattern] = []
  /// Whether an attempt has started over because of a 416 since the user last requested the file.
  public var hadUnsatisfied = false
  /// Whether a listing named the file, so that the answer must not be a directory.
  public var isListed = false
  public var resume: ResumeMode
  /// Whether a digest will prove the result.
  public var digestIsKnown: Bool
  /// The requirements on the file. The engine only computes the digest; the caller compares it.
  package var expected = ExpectedFile()
  /// Which digests other than the expected one count.
  public var verify = VerifyMode.offered
  /// The maximum number of connections that fetch the file at once.
  public var maxConnections = 1
  /// Whether connections work near the first missing byte.
  public var isInOrder = false
  /// Receives the position of the first missing byte; `nil` if nobody reads the file while it arrives.
  public var front: InOrderProgress?
  /// Returns the maximum number of connections once the answer and the length of the file are known; `nil` leaves the
  /// number unchanged. Called on the loop's thread.
  public var connectionsForAnswer: (@Sendable (ResponseRecord, Int64?) -> Int?)?
  /// The maximum number of connections to the origin, including those of other files.
  public var maxPerOrigin = ConnectionShare.usual
  /// Whether to open a new connection, even if an open one could carry another stream.
  public var opensConnection = false
  /// Bytes whose checksums were compared one by one. A connection that continues behind them need not repeat them (P18).
  public var proved = SegmentSet()
  /// Whether only a control file for seeds has the digest, which says nothing about another version.
  public var digestIsOfSeeds = false
  /// Whether recorded bytes are missing, because the part file was truncated. New bytes must be written in order until
  /// the record is corrected.
  public private(set) var isShort = false
  /// Whether gaps may be filled one by one. If not, only the bytes before the first gap are kept.
  private let fillsGaps: Bool
  /// Requests for other URLs of the same file. A mirror whose file differs is not used.
  public var mirrors: [TransferRequest] = []
  /// The condition of a request for the whole file: the server's version must differ from that of the existing target.
  package var condition: CacheCondition?
  /// The number of wrong parts in this attempt. After a wrong part, the next answer must prove where its bytes belong.
  var wrongParts = 0
  /// Whether the body of the answer is kept. The answer to an upload may be dropped.
  public var keepsAnswer = true
  /// The number of bytes on disk when several connections last left the rest to the job's own connection; `nil` if they
  /// never did.
  var askedAlone: Int64?
  /// The initial cookies, as lines in the Netscape format; with `nil`, no cookies are sent or kept.
  public var cookies: [String]?
  /// The rate limits: the job's own limit and the shared one.
  public var limiters: [RateLimiter]
  /// The engine's settings for hosts that match patterns, in addition to ``request``.
  var hosts = HostRules()

  /// Checks the bytes on disk, and plans an attempt that keeps them. The call blocks the calling thread.
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
    // Fill gaps one by one only if a condition ties each of them to the version, or a digest will prove the result.
    let isIdentified = !recorded.validators.isWeak || digestIsKnown
    fillsGaps = isIdentified && Scheme(request.url)?.speaksHTTP ?? true
    guard recordHasBytes else { return }

    guard let file = try destination.openPart(partName, recorded: recorded) else {
      startOver = recorded.upload == nil ? .partFileLost : .uploadLost
      return
    }
    let present = try file.identity().size
    // Keep only bytes that are durable and present.
    var kept = recorded.segments.clamped(to: 0..<present)
    // An upload that has lost some parts keeps the remaining parts, because no later bytes are written in place of the
    // lost ones.
    let holding = file.holding
    if let holding { kept = kept.intersection(holding) }
    if !fillsGaps { kept = SegmentSet(0..<kept.prefix) }
    if kept.isEmpty || present > recorded.size ?? .max {
      startOver = recorded.upload == nil ? .partFileLost : .uploadLost
      return
    }
    // The part file was truncated. Until that is recorded, the record covers missing bytes. Until then, bytes are
    // written in order, so that all bytes before the end are present (P4).
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

  /// Returns a checkpoint as requests and answers are compared with it: without validators if only the digest
  /// identifies the file (``ExpectedFile/isLinked``).
  func identifying(_ checkpoint: Checkpoint) -> Checkpoint {
    guard expected.isLinked, digestIsKnown else { return checkpoint }
    var identified = checkpoint
    identified.validators = Validators()
    return identified
  }

  /// Starts over. The bytes of earlier attempts are discarded once no durable record covers them.
  public mutating func startOver(_ reason: StartOver) { (checkpoint, startOver) = (Checkpoint(), reason) }

  /// Returns the digests to compute during the transfer, given that the server offers `offered`. The algorithm in a
  /// list beside the file is not known yet, but nearly all lists use SHA-256. An upload cannot be read back, so the
  /// algorithms of all kinds of lists are computed for it.
  func algorithms(offered: [SourcedDigest]) -> [DigestAlgorithm] {
    let known = DigestCheck(binding: expected.digest.map { [SourcedDigest($0, .given)] } ?? [], offered: offered)
      .algorithms
    guard verify.looksBeside, expected.digest == nil else { return known }
    if !destination.traits.readsParts { return known + TransferPlan.ofLists.filter { !known.contains($0) } }
    return known.isEmpty ? [.sha256] : known
  }

  private static let ofLists: [DigestAlgorithm] = [.sha256, .sha512, .sha384, .sha1, .md5]

  /// Whether a file of `size` bytes is gathered in large buffers and kept out of memory. A file that cannot be
  /// continued stays in memory, because it is read again at the end in order to hash it.
  func gathersMuch(of size: Int64?, offered: [SourcedDigest]) -> Bool {
    BodyWriter.isLarge(size) && (request.isSafe || algorithms(offered: offered).isEmpty)
  }

  func offered(by head: ResponseHead) -> [SourcedDigest] { verify == .none ? [] : head.offeredDigests }

  func offered(by trailers: [HeaderField], of head: ResponseHead) -> [SourcedDigest] {
    verify == .none ? [] : head.offeredDigests(in: trailers)
  }

  /// Forgets what seeds prove, because the file is fetched from its beginning.
  mutating func forgetSeeds() {
    proved = SegmentSet()
    if digestIsOfSeeds { digestIsKnown = false }
  }

  /// Whether the byte before `place` was proved by its checksum, so that a joint there is right.
  func isProved(before place: Int64) -> Bool { place > 0 && proved.contains(place - 1..<place) }

  /// Limits the connections to the origin, including those of other files; `nil` keeps the default.
  public mutating func limitPerOrigin(_ most: Int?) {
    guard let most else { return }
    (maxConnections, maxPerOrigin) = (min(maxConnections, most), most)
  }

  /// Whether all bytes are present, so that no request is needed.
  public var isWhole: Bool { checkpoint.size.map { checkpoint.segments.isWhole($0) } ?? false }
}
