// Which bytes of another program's partial file are candidates, and in which stretches they are compared: pure decisions (P2).

/// The decisions on a partial file of another program.
///
/// Its bytes are of an unknown version. They count only after comparison: in stretches of ``leastStretch`` bytes, or a 64th of
/// all where that is more, of which both ends and the middle are asked of the server. One sample that differs drops its
/// stretch. It also shows that the file is not what it was taken for, and so the other stretches are compared at nine places.
/// What lies between two samples is not proved by this: that takes a digest of the whole.
public enum AdoptionRule {
  /// Bytes of one sample.
  public static let sample: Int64 = 64 << 10
  /// The length of a stretch, at least, where there are so many bytes.
  static let leastStretch: Int64 = 4 << 20
  /// Stretches into which a file is divided.
  static let stretches: Int64 = 64
  /// Runs of bytes that are looked at; of more the longest.
  static let mostRuns = 256
  /// Samples of a stretch, and of one that is compared again.
  static let (few, many): (Int64, Int64) = (3, 9)

  /// The bytes of a file that may be of use, before one is read.
  public static func candidates(_ adoption: Adoption) -> SegmentSet {
    let whole = 0..<adoption.identity.size
    return adoption.claim.map { $0.done.clamped(to: whole) } ?? SegmentSet(whole)
  }

  /// The longest of some runs, not too many: each costs requests.
  public static func longest(_ runs: [Segment]) -> SegmentSet {
    let chosen = runs.count <= mostRuns ? runs : Array(runs.sorted { $0.count > $1.count }.prefix(mostRuns))
    var set = SegmentSet()
    for run in chosen { set.insert(run) }
    return set
  }

  /// Why a file is of no use, as far as the server's first answer shows.
  /// - Parameters:
  ///   - size: the length of the server's file.
  ///   - validators: what identifies its version.
  ///   - offered: the server's digests of it.
  public static func refusal(
    of adoption: Adoption, size: Int64, validators: Validators, offered: [SourcedDigest], mode: ResumeMode,
    digestIsKnown: Bool
  ) -> AdoptionRefusal? {
    if let claim = adoption.claim, claim.size != size { return .otherSize(claim.size, size) }
    if adoption.identity.size > size { return .longer(adoption.identity.size, than: size) }
    // The rest would start over for the same reason (``Ask/first(for:mode:digestIsKnown:)``).
    guard validators.isWeak, !digestIsKnown, !offered.identifies, mode != .always else { return nil }
    return .unidentified
  }

  /// The stretches of `data`, each of which is taken over as a whole or not at all.
  public static func stretches(of data: SegmentSet) -> [Segment] {
    let block = BlockSums.block
    let step = max(leastStretch, (data.count / stretches + block - 1) / block * block)
    return data.segments.flatMap { run -> [Segment] in
      var (parts, lower): ([Segment], Int64) = ([], run.lowerBound)
      // The last one may be half as long again: no small one is left over.
      while run.upperBound - lower > step + step / 2 {
        let upper = lower.saturatingSum(step) / block * block
        parts.append(lower..<upper)
        lower = upper
      }
      return parts + [lower..<run.upperBound]
    }
  }

  /// The places of a stretch that are compared: `count` of them, the ends among them, or all of a short one.
  static func places(of stretch: Segment, _ count: Int64) -> [Segment] {
    let length = Int64(stretch.count)
    guard length > count * sample else { return [stretch] }
    let (step, rest) = (length - sample).quotientAndRemainder(dividingBy: count - 1)
    return (0..<count).map { index in
      let lower = stretch.lowerBound + index * step + index * rest / (count - 1)
      return lower..<lower + sample
    }
  }

  /// What a job may continue from, of the bytes that proved right. Where nothing identifies the version there are no
  /// conditions for gaps, and only what is there from the start is of use.
  public static func usable(_ kept: SegmentSet, validators: Validators, digestIsKnown: Bool) -> SegmentSet {
    validators.isWeak && !digestIsKnown ? SegmentSet(0..<kept.prefix) : kept
  }
}

/// The comparison of a file's stretches with the server's bytes, round by round.
public struct AdoptionTrial: Sendable, Equatable {
  private enum Round { case first, second, over }

  private var round = Round.first
  /// Those that have not differed.
  private var standing: [Segment]
  /// The places that were compared.
  private var compared: [Segment] = []
  /// Bytes of the stretches that differed.
  public private(set) var differing: Int64 = 0
  /// The places that are compared next, ascending and disjoint; none when all is decided.
  public private(set) var places: [Segment] = []

  /// Begins with the bytes that may be of use.
  public init(_ data: SegmentSet) {
    standing = AdoptionRule.stretches(of: data)
    places = standing.flatMap { AdoptionRule.places(of: $0, AdoptionRule.few) }
    if places.isEmpty { round = .over }
  }

  /// The bytes that count.
  public var kept: SegmentSet {
    var set = SegmentSet()
    for stretch in standing { set.insert(stretch) }
    return set
  }

  /// Bytes that were compared.
  public var comparedCount: Int64 { compared.reduce(0) { $0 + Int64($1.count) } }

  /// The present places were compared.
  /// - Parameter wrong: those of them that differ.
  public mutating func take(differing wrong: [Segment]) {
    compared += places
    let before = standing
    standing.removeAll { stretch in wrong.contains { $0.overlaps(stretch) } }
    differing += before.reduce(0) { $0 + Int64($1.count) } - standing.reduce(0) { $0 + Int64($1.count) }
    places = []
    guard round == .first, standing.count < before.count else { return round = .over }
    round = .second
    let done = Set(compared)
    for stretch in standing where !done.contains(stretch) {
      places += AdoptionRule.places(of: stretch, AdoptionRule.many).filter { !done.contains($0) }
    }
    if places.isEmpty { round = .over }
  }
}
