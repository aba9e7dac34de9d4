// The seeds of a job: files of this machine that may contain parts of the wanted file, and what was found in them.

/// The seeds of a job: local files whose blocks are reused, by the checksums in a zsync control file.
public struct Seeding: Sendable, Equatable, Codable {
  /// What was found in the seeds.
  public struct Outcome: Sendable, Equatable, Codable {
    /// The number of bytes that were found and kept.
    public var reused: Int64
    /// The length of the whole file, if the control file was read.
    public var size: Int64?
    /// The bytes that were found. Their ends were not cut off by any connection.
    public var segments: SegmentSet
    /// The SHA-1 of the whole file, according to the control file.
    public var digest: DigestValue?
    /// The version of the server's file for which the bytes were found.
    public var validators: Validators
    /// The reason why nothing is reused, as a clause.
    public var refusal: String?
    /// What to do if the seeds should be used nevertheless.
    package var advice: Advice?

    /// Creates an outcome.
    public init(
      reused: Int64 = 0, size: Int64? = nil, segments: SegmentSet = SegmentSet(), digest: DigestValue? = nil,
      validators: Validators = Validators(), refusal: String? = nil
    ) {
      (self.reused, self.size, self.segments, self.digest) = (reused, size, segments, digest)
      (self.validators, self.refusal) = (validators, refusal)
    }

    /// Creates the outcome of seeds that are not used.
    package init(_ refusal: SeedRefusal) {
      self.init(refusal: refusal.text)
      advice = refusal.advice
    }

    /// This outcome once the file is fetched from its beginning.
    fileprivate var startedOver: Outcome {
      var outcome = self
      guard reused > 0 else { return outcome }
      (outcome.reused, outcome.segments, outcome.refusal) = (0, SegmentSet(), SeedRefusal.startedOver.text)
      return outcome
    }
  }

  /// The absolute paths of the seeds, in the order in which they are read.
  public var files: [String]
  /// The URL of the control file, or its absolute path on this machine; `nil` for the job's URL with `.zsync` appended.
  public var control: String?
  /// What was found; `nil` until the seeds were read.
  public var outcome: Outcome?
  /// The results for seeds that the user has replaced since. The job may still have these bytes.
  public var earlier: Outcome?

  /// Creates the use of seeds.
  public init(files: [String], control: String? = nil, outcome: Outcome? = nil, earlier: Outcome? = nil) {
    (self.files, self.control, self.outcome, self.earlier) = (files, control, outcome, earlier)
  }

  /// The suffix of control files.
  public static let suffix = ".zsync"

  /// Whether seeds must still be read.
  public var isDue: Bool { !files.isEmpty && outcome == nil }

  /// The last outcome with the control file's digest, even if its bytes were given up since; `nil` if there is none.
  private var used: Outcome? { [outcome, earlier].compactMap(\.self).first { $0.digest != nil } }

  /// The control file's digest of the whole file; `nil` if no bytes were found in seeds.
  public var digest: DigestValue? { used?.digest }

  /// The bytes that were found in seeds.
  public var segments: SegmentSet {
    var all = outcome?.segments ?? SegmentSet()
    for segment in earlier?.segments.segments ?? [] { all.insert(segment) }
    return all
  }

  /// Records that the file is fetched from its beginning, so that none of its bytes are from seeds any more. The digest
  /// still counts if nothing else proves the file.
  package mutating func startOver() { (outcome, earlier) = (outcome?.startedOver, earlier?.startedOver) }

  /// Whether the job still has bytes from seeds, and `version` is certainly the version for which they were found, so
  /// that the control file's digest will be compared with the result.
  ///
  /// It is not enough that the validators do not contradict each other. A checkpoint for a mirror has none, and the
  /// mirror's answer may then name another version, for which the digest would not count (P16).
  package func holds(for version: Validators) -> Bool {
    guard let used, used.reused > 0 else { return false }
    return version.show(used.validators)
  }

  /// Returns the seeds after the user has chosen others. While the part file exists, the digest that proves its bytes
  /// stays known.
  public static func renewed(_ before: Seeding?, by asked: Seeding?) -> Seeding? {
    guard let before else { return asked }
    guard var new = asked else { return before.used.map { Seeding(files: [], earlier: $0) } }
    if new.files == before.files, new.control == before.control {
      new.outcome = new.outcome ?? before.outcome
      new.earlier = new.earlier ?? before.earlier
    } else {
      new.earlier = new.earlier ?? before.used
    }
    return new
  }

  /// Returns the seeds for a fetch from the beginning; `nil` if there are none.
  public var again: Seeding? { files.isEmpty && control == nil ? nil : Seeding(files: files, control: control) }

  /// Returns the digest that a complete file must have because of its seeds; `nil` if the control file does not matter.
  ///
  /// A control file describes one version. If the server has another one by now, or if the file was fetched as a whole
  /// because its bytes were wrong and another digest proves it, the control file says nothing about it.
  /// - Parameters:
  ///   - version: The validators of the version that was fetched.
  ///   - hasSeeds: Whether the file may contain bytes from seeds; `false` if the last attempt gave them up.
  ///   - isProved: Whether another digest must match, too.
  package func binding(version: Validators, hasSeeds: Bool, isProved: Bool) -> SourcedDigest? {
    guard let used, let digest = used.digest, used.validators.agree(with: version),
      hasSeeds && used.reused > 0 || !isProved
    else { return nil }
    return SourcedDigest(digest, .zsync)
  }

  /// The outcome as a sentence without a full stop; `nil` until it is known.
  public var summary: String? {
    guard let outcome else { return nil }
    guard !files.isEmpty else { return outcome.refusal }
    let names = files.map { TextSafety.escaped(PathText.name(of: $0)) }.joined(separator: ", ")
    guard outcome.reused > 0, let size = outcome.size else {
      return "\(names): not reused, \(outcome.refusal ?? "they share no block with the file")"
    }
    return "\(names): reused \(ByteCount.share(outcome.reused, of: size))"
  }
}

/// Why seeds are not used.
package enum SeedRefusal: Sendable, Equatable {
  /// There is no control file at this address.
  case noControl(String)
  /// The control file cannot be fetched or read, for this reason.
  case badControl(String)
  /// The control file is of a file of another length.
  case otherSize(Int64, Int64)
  /// The control file describes the file as of another time than the server's. Both times are in seconds since 1970.
  case otherTime(described: Int64, file: Int64)
  /// The control file is older than the server's file, in seconds since 1970.
  case olderControl(Int64, file: Int64)
  /// Bytes that were found by the control file differ from the server's.
  case differs
  /// The server does not serve ranges.
  case notServed
  /// The server refuses to send a part, for this reason.
  case refused(String)
  /// While it was asked, the server's file changed.
  case unsteady(StartOver)
  /// The bytes of the job are of another version than the server's file.
  case otherVersion
  /// The file was fetched as a whole, and its digest differs from the one in the control file at this address.
  case contradicted(String)
  /// The job must not continue any bytes.
  case unwanted
  /// The bytes that were found were given up, and the file was fetched from its beginning.
  case startedOver
  /// No seed can be read, for this reason.
  case unreadable(String)
  /// The seeds share no block with the file.
  case nothing

  /// The reason as a clause.
  package var text: String {
    switch self {
    case .noControl(let place): "no control file at \(place)"
    case .badControl(let reason): "its control file cannot be used: \(reason)"
    case .otherSize(let described, let size):
      "the control file describes a file of \(described) bytes; the server's has \(size)"
    case .otherTime(let described, let file):
      "the control file describes the version of \(HTTPDate.format(described)); the server's is of "
        + HTTPDate.format(file)
    case .olderControl(let control, let file):
      "the control file is of \(HTTPDate.format(control)), before the file's last change on \(HTTPDate.format(file))"
    case .differs: "the control file describes another version: the server's bytes differ"
    case .notServed: "the server does not serve parts of the file"
    case .refused(let how): "the server refuses to send a part of the file (\(how))"
    case .unsteady(let how): "during the comparison, \(how.text)"
    case .otherVersion: "the server has another version of the file"
    case .contradicted(let place): "the control file at \(place) is of another file or version"
    case .unwanted: "the job takes only the server's bytes"
    case .startedOver: "the file was fetched once more, as a whole"
    case .unreadable(let reason): reason
    case .nothing: "no blocks in common with the file"
    }
  }

  /// What to do if the seeds should be used nevertheless; `nil` if nothing helps.
  package var advice: Advice? {
    switch self {
    case .otherTime, .olderControl: "\(.resumeAlways) uses it nevertheless"
    case .unwanted: "omit \(.resumeNever)"
    default: nil
    }
  }
}
