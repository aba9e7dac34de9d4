/// The options of a job in addition to its request.
public struct JobOptions: Sendable, Equatable, Codable {
  /// What to do if the target exists.
  public var onConflict: ConflictPolicy = .fail
  /// How to continue a part file.
  public var resume: ResumeMode = .safe
  /// The number of retries after temporary failures without progress in between.
  public var retries = 5
  /// The seconds before the first retry. Each further wait is twice as long.
  public var retryWait: Double = 1
  /// The longest wait in seconds that a server may ask for (`Retry-After`).
  public var maxRetryWait: Double = 3600
  /// Whether failures are retried even if they seldom go away, such as a 404.
  public var retriesAll: Bool?
  /// The statuses that count as temporary, in addition to 408, 425, 429 and 5xx.
  public var retryStatuses: [StatusPattern]?
  /// The maximum rate in bytes per second; `nil` for no limit.
  public var rateLimit: Int64?
  /// The maximum seconds of an attempt; `nil` for no limit.
  public var maxTime: Double?
  /// The maximum length of the file in bytes; `nil` for no limit.
  public var maxSize: Int64?
  /// The expected digest of the whole file.
  public var digest: DigestValue?
  /// The source of the digest; `nil` if the user gave it.
  public var digestSource: DigestSource?
  /// Which other digests are verified; `nil` is ``VerifyMode/offered``.
  public var verify: VerifyMode?
  /// The minisign public key for signed lists of digests: the key, or the absolute path of its file.
  public var verifyKey: String?
  /// The expected length of the file, if something other than the server gave it.
  public var expectedSize: Int64?
  /// The expected type of the file.
  public var expectedType: ExpectedType?
  /// The allowed types of the file. They take precedence over the type that the file's name implies.
  public var allowedTypes: [ExpectedType]?
  /// Other URLs of the same file; preferred ones come first.
  public var mirrors: [RequestURL]?
  /// The maximum number of connections to the file; `nil` is the default (``JobSpecification/mostConnections``).
  public var maxConnections: Int?
  /// Whether the file is fetched from its start to its end, so that it can be read while it arrives. If so, its part
  /// file has a visible name.
  public var inOrder: Bool?
  /// The hashes of the file's pieces.
  public var pieces: PieceHashes?
  /// The visible beginning of the part file's name; `nil` for a hidden name (``PartName``). It must not change while
  /// the job may have a part file.
  package var partStem: String?
  /// The absolute path of the directory for the part file; `nil` for the target's directory.
  public var partDirectory: String?
  /// Whether the target records its URL in an extended attribute.
  public var recordsOrigin: Bool?
  /// Whether the file gets the time of its arrival and not the server's `Last-Modified`.
  public var keepsArrivalTime: Bool?
  /// Whether the job was created by `get`, for immediate transfer. Lists may soon leave out such a job once it is
  /// complete.
  public var isOneOff: Bool?
  /// Whether a listing named the file (`-r`). If so, a redirect to a directory counts as a failure, and no web page is
  /// saved.
  public var isListed: Bool?
  /// The labels in the order in which they were given. Runners may choose jobs by labels.
  public var labels: [JobLabel]?
  /// The commands to run when the job ends.
  public var hooks: Hooks?
  /// The identity of the damaged file that the job may replace. Any other file of that name stays.
  package var repairs: FileIdentity?
  /// The identity of the file that existed at the target when the job was planned. The job may replace only this file.
  package var replaces: FileIdentity?
  /// The partial file of another program to take over.
  @Boxed public var adopts: Adoption?
  /// The other files of this machine from which the job takes bytes.
  @Boxed public var seeding: Seeding?
  /// The rules that are decided by the first answer.
  @Boxed package var lateRules: [LateRule]?
  /// The directory that was requested, if a rule chose another one after the server's answer.
  package var askedDirectory: String?
  /// The options of the object, if the target is in an object store.
  @Boxed public var object: ObjectOptions?
  /// The source that gave the URL; `nil` if the URL was given itself.
  @Boxed package var source: SourceReference?
  /// The unfinished move of the part file.
  @Boxed package var moving: PartMove?

  /// The digests that the file must have, whatever digests the server offers.
  public var binding: [SourcedDigest] { digest.map { [SourcedDigest($0, digestSource ?? .given)] } ?? [] }

  /// Records that the control file of the seeds contradicts the whole file, so that the next attempt fetches the file
  /// without it. If the control file was named in place of the file's URL, the job's digest is from it, too. A repair
  /// keeps the digest, because the published file had it.
  package mutating func refuteSeeds(_ refusal: SeedRefusal) {
    seeding?.outcome = Seeding.Outcome(refusal)
    seeding?.earlier = nil
    if digestSource == .zsync, repairs == nil { (digest, digestSource) = (nil, nil) }
  }

  /// Whether a transfer can start without further steps. A known digest makes the search for one superfluous.
  var startPlain: Bool {
    (digest != nil || !(verify?.looksBeside ?? false)) && mirrors == nil && repairs == nil && maxTime == nil
      && adopts == nil && seeding == nil && partDirectory == nil && lateRules == nil
  }

  /// Whether, in addition, nothing has to be compared with the whole file, and nothing follows its publish.
  var arePlain: Bool { startPlain && digest == nil && expectedSize == nil && source?.arrangements.isEmpty ?? true }

  /// The default number of connections to a file.
  public static let defaultConnections = 16
  /// A number of connections that most servers tolerate. Some refuse more.
  public static let politeConnections = 16

  /// The valid numbers of connections to a file.
  public static let connectionRange = 1...64
  /// The valid numbers of retries.
  public static let retryRange = 0...1_000_000

  /// Creates the defaults.
  public init() {}
}
