// What an attempt is given to do.

public import DrayCore
public import Posix

/// One attempt at a job: what to ask for, what there is already, where it goes.
public struct TransferPlan: Sendable {
  /// The request.
  public var request: TransferRequest
  /// The directory of the target.
  public var directory: TargetDirectory
  /// The name of the part file in it.
  public var partName: String
  /// The path of the state directory whose job it is, for the label of the part file.
  public let store: String?
  /// The part file, if any to build upon.
  public var part: PartFile?
  /// What is on disk for certain, and present.
  public var checkpoint: Checkpoint
  /// Whether the durable record claims any bytes, present or not: they must be given up in it before others are written.
  public var recordClaimsBytes: Bool
  /// Why bytes that were claimed are not continued from, if known before anything is asked.
  public var startOver: StartOver?
  /// Whether no retry follows.
  public var isLastTry = false
  /// Whether an attempt since its user last asked for the file started over after a 416.
  public var hadUnsatisfied = false
  /// Whether a listing named the file: it must not be a directory.
  public var isListed = false
  /// How to resume.
  public var resume: ResumeMode
  /// Whether a digest will prove the result.
  public var digestIsKnown: Bool
  /// What the file must hash to, if known; the engine hashes, and leaves the comparison to its caller.
  public var digest: DigestValue?
  /// Where other digests of it are searched for.
  public var verify = VerifyMode.offered
  /// The length that the file must have.
  public var expectedSize: Int64?
  /// The most bytes that the file may have.
  public var maxSize: SizeLimit?
  /// What identifies the only version that will do, where a published file is repaired.
  public var onlyVersion: Validators?
  /// The type that the file must be of.
  public var expectedType: ExpectedType?
  /// Connections that may fetch it at once; 1 is one after the other, as it comes.
  public var maxConnections = 1
  /// The most connections to its origin at once, those of other files included.
  public var maxPerOrigin = JobGrowth.connections
  /// Whether claimed bytes are missing: the part file was truncated. Until that is recorded, they must be
  /// written in their order.
  public private(set) var isShort = false
  /// Whether gaps may be filled one by one, or only what is there from the start is of use.
  private let fillsGaps: Bool
  /// Other URLs of the same file, each as a request of its own; what differs from the file is not used.
  public var mirrors: [TransferRequest] = []
  /// Asks for the whole only if it is another version than the target is of.
  public var condition: CacheCondition?
  /// Parts that were not what they said they were, earlier in this attempt: what is asked for next has to prove itself.
  var wrongParts = 0
  /// Whether the body of the answer is kept; that of an upload may be dropped.
  public var keepsAnswer = true
  /// The bytes on disk when several connections last left the rest to the job's own; `nil` if they never did.
  var askedAlone: Int64?
  /// The cookies to begin with, lines in Netscape's format; `nil` is to keep none and send none.
  public var cookies: [String]?
  /// The limits on its rate: its own, and the one it shares.
  public var limiters: [RateLimiter]
  /// What requests to some hosts carry beside what ``request`` says; the engine's own.
  var hosts = HostRules()

  /// Checks what is on disk and plans an attempt from it. Blocks.
  /// - Parameters:
  ///   - recorded: what the durable record claims.
  ///   - store: the path of the state directory whose job it is, for the label of the part file.
  /// - Throws: ``SystemError`` when the part file cannot be checked.
  public init(
    request: TransferRequest, directory: TargetDirectory, partName: String, recorded: Checkpoint,
    resume: ResumeMode, digestIsKnown: Bool, limiters: [RateLimiter] = [], store: String? = nil
  ) throws(SystemError) {
    self.request = request
    self.directory = directory
    self.partName = partName
    self.resume = resume
    self.digestIsKnown = digestIsKnown
    self.limiters = limiters
    self.store = store
    // What a request that is not safe brought belongs to it: it is never continued from (P10).
    recordClaimsBytes = request.isSafe && !recorded.segments.isEmpty
    checkpoint = Checkpoint()
    // Gaps are filled one by one, each tied to the version by a condition of its own, or proved by the digest.
    let isIdentified = !recorded.validators.isWeak || digestIsKnown
    fillsGaps = isIdentified && Scheme(request.url)?.speaksHTTP ?? true
    guard recordClaimsBytes else { return }

    guard let file = try PartFile.open(partName, in: directory, store: store) else {
      startOver = .partFileLost
      return
    }
    let present = try file.identity().size
    // Only what is durable and present counts.
    var kept = recorded.segments.clamped(to: 0..<present)
    if !fillsGaps { kept = SegmentSet(0..<kept.prefix) }
    if kept.isEmpty || present > recorded.size ?? .max {
      startOver = .partFileLost
      return
    }
    // The part file was truncated: until that is recorded, the record claims bytes that are not there. Written in their
    // order, no more are present than were written (P4).
    if kept != recorded.segments {
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

  /// Builds upon these bytes and no others, of which `sums` is known; starts over where they are of no use.
  public mutating func build(on segments: SegmentSet, _ sums: BlockSums) {
    let kept = fillsGaps ? segments : SegmentSet(0..<segments.prefix)
    checkpoint.segments = kept
    checkpoint.sums = sums.restricted(to: kept)
    if kept.isEmpty { (part, checkpoint, startOver) = (nil, Checkpoint(), .partFileLost) }
  }

  /// The digests that are computed while the file comes, where its server offers these. What a list next to the file
  /// will say is unknown yet; nearly all say SHA-256.
  func algorithms(offered: [SourcedDigest]) -> [DigestAlgorithm] {
    let known = DigestCheck(binding: digest.map { [SourcedDigest($0, .given)] } ?? [], offered: offered).algorithms
    return known.isEmpty && verify.looksBeside ? [.sha256] : known
  }

  /// Whether much is gathered of a file of `size` bytes before it is written, and the file does not stay in memory. What
  /// cannot be continued is hashed at its end, and so read again.
  func gathersMuch(of size: Int64?, offered: [SourcedDigest]) -> Bool {
    BodyWriter.isLarge(size) && (request.isSafe || algorithms(offered: offered).isEmpty)
  }

  /// What an answer offers of the file, as far as it counts.
  func offered(by head: ResponseHead) -> [SourcedDigest] { verify == .none ? [] : head.offeredDigests }

  /// Limits the connections to its origin, those of other files included; `nil` leaves what is usual.
  public mutating func limitPerOrigin(_ most: Int?) {
    guard let most else { return }
    (maxConnections, maxPerOrigin) = (min(maxConnections, most), most)
  }

  /// Whether every byte is there already, so that nothing need be asked.
  public var isWhole: Bool { checkpoint.size.map { checkpoint.segments.isWhole($0) } ?? false }
}
