// What a job wants in addition to its request.

/// The options of a job in addition to its request.
public struct JobOptions: Sendable, Equatable, Codable {
  /// What to do when the target exists.
  public var onConflict: ConflictPolicy = .fail
  /// How to resume.
  public var resume: ResumeMode = .safe
  /// How many times a temporary failure is retried without progress.
  public var retries = 5
  /// Seconds before the first retry; doubled for each further one.
  public var retryWait: Double = 1
  /// The longest delay, in seconds, that a server may ask for.
  public var maxRetryWait: Double = 3600
  /// Bytes a second at most; `nil` for no limit.
  public var rateLimit: Int64?
  /// Seconds that one attempt may take; `nil` for no limit.
  public var maxTime: Double?
  /// The most bytes that the file may have; `nil` for no limit.
  public var maxSize: Int64?
  /// The digest that the whole file must have.
  public var digest: DigestValue?
  /// The source of the digest; `nil` for the user.
  public var digestSource: DigestSource?
  /// Where other digests of it are searched for; `nil` is ``VerifyMode/offered``.
  public var verify: VerifyMode?
  /// The public key that lists of digests are signed with by minisign: the key itself, or an absolute path.
  public var verifyKey: String?
  /// The length that the file must have, if known from elsewhere than the server.
  public var expectedSize: Int64?
  /// The type that the file must be of.
  public var expectedType: ExpectedType?
  /// Types that the file may be of, whatever its name promises.
  public var allowedTypes: [ExpectedType]?
  /// Other URLs of the same file, the preferred first.
  public var mirrors: [RequestURL]?
  /// Connections to the file at once, at most; `nil` is ``defaultConnections``.
  public var maxConnections: Int?
  /// The hashes of the pieces of the file.
  public var pieces: PieceHashes?
  /// What the name of the part file begins with, if it is to be visible (``PartName``). It stays as it is while there may be one.
  public var partStem: String?
  /// Whether the target keeps its time of arrival instead of the server's `Last-Modified`.
  public var keepsArrivalTime: Bool?
  /// Whether the job is the one errand of a `get`: once it is complete, a list need not remind of it for long.
  public var isOneOff: Bool?
  /// Whether a listing named the file (`-r`): a redirect that shows a directory is a failure then, and no page is saved.
  public var isListed: Bool?
  /// What is run when the job ends.
  public var hooks: Hooks?
  /// The damaged target that the file replaces, and no other file that may have its name by then.
  public var repairs: FileIdentity?
  /// The only file that the job may replace at its target: the one that was there when the job was planned.
  public var replaces: FileIdentity?
  /// The partial file of another program that the job takes over.
  @Boxed public var adopts: Adoption?
  /// The move of its part file that has begun and has not ended.
  @Boxed public var moving: PartMove?

  /// The digests that the file must have, regardless of its server.
  public var binding: [SourcedDigest] { digest.map { [SourcedDigest($0, digestSource ?? .given)] } ?? [] }

  /// Whether none of the options needs a step before or after the transfer of an attempt.
  var arePlain: Bool {
    digest == nil && !(verify?.looksBeside ?? false) && expectedSize == nil && mirrors == nil && repairs == nil
      && maxTime == nil && adopts == nil
  }

  /// Connections to a file at once, by default.
  public static let defaultConnections = 16
  /// More connections than these, and a server may take it amiss.
  public static let politeConnections = 16

  /// How many connections a file may be given.
  public static let connectionRange = 1...64
  /// How many retries there may be.
  public static let retryRange = 0...1_000_000

  /// The defaults.
  public init() {}
}
