// Decides which bytes of another program's partial file can be used, and how they are compared with the server's (P2).

/// The rules for a partial file of another program.
///
/// Nobody knows from which version its bytes are, so they count only after a comparison. The file is divided into
/// stretches of ``leastStretch`` bytes, or of a 64th of the file if that is more. Both ends and the middle of each
/// stretch are requested from the server. If one of these samples differs, its stretch is dropped, and the file is
/// trusted less: the other stretches are compared at nine places. The bytes between two samples stay unproved; only a
/// digest of the whole file proves them.
package enum AdoptionRule {
  /// The length of a sample in bytes.
  package static let sample: Int64 = 64 << 10
  /// The minimum length of a stretch in bytes, unless the file is shorter.
  static let leastStretch: Int64 = 4 << 20
  /// The number of stretches in a large file.
  static let stretches: Int64 = 64
  /// The maximum number of runs of bytes that are used; if there are more, only the longest are used.
  static let mostRuns = 256
  /// The number of samples in a stretch: at first, and after another stretch differed.
  static let (few, many): (Int64, Int64) = (3, 9)

  /// Returns the bytes of the file that can perhaps be used, as far as that is known before any of them is read.
  package static func candidates(_ adoption: Adoption) -> SegmentSet {
    let whole = 0..<adoption.identity.size
    return adoption.control.map { $0.done.clamped(to: whole) } ?? SegmentSet(whole)
  }

  /// Returns the longest of `runs`, at most ``mostRuns``, because each run needs several requests.
  package static func longest(_ runs: [Segment]) -> SegmentSet {
    let chosen = runs.count <= mostRuns ? runs : Array(runs.sorted { $0.count > $1.count }.prefix(mostRuns))
    var set = SegmentSet()
    for run in chosen { set.insert(run) }
    return set
  }

  /// Returns why a file cannot be used, as far as the server's first answer shows it; `nil` if it can.
  /// - Parameters:
  ///   - size: The length of the server's file.
  ///   - validators: The validators of the server's version.
  ///   - offered: The server's digests of that version.
  package static func refusal(
    of adoption: Adoption, size: Int64, validators: Validators, offered: [SourcedDigest], mode: ResumeMode,
    digestIsKnown: Bool
  ) -> AdoptionRefusal? {
    if let control = adoption.control, control.size != size { return .otherSize(control.size, size) }
    if adoption.identity.size > size { return .longer(adoption.identity.size, than: size) }
    // Without this check, the request for the rest would start over for the same reason
    // (``Ask/first(for:mode:digestIsKnown:isUncut:given:)``).
    guard validators.isWeak, !digestIsKnown, !offered.identifies, mode != .always else { return nil }
    return .unidentified
  }

  /// Returns the stretches of `data`. Each stretch is either taken over as a whole or not at all.
  package static func stretches(of data: SegmentSet) -> [Segment] {
    let block = BlockSums.block
    let step = max(leastStretch, (data.count / stretches + block - 1) / block * block)
    return data.segments.flatMap { run -> [Segment] in
      var (parts, lower): ([Segment], Int64) = ([], run.lowerBound)
      // The last stretch may be longer by half, so that no short stretch remains.
      while run.upperBound - lower > step + step / 2 {
        let upper = lower.saturatingSum(step) / block * block
        parts.append(lower..<upper)
        lower = upper
      }
      return parts + [lower..<run.upperBound]
    }
  }

  /// Returns `count` places to compare, including both ends. Of a short stretch, all bytes are compared.
  static func places(of stretch: Segment, _ count: Int64, length sample: Int64 = AdoptionRule.sample) -> [Segment] {
    let length = Int64(stretch.count)
    guard length > count * sample else { return [stretch] }
    let (step, rest) = (length - sample).quotientAndRemainder(dividingBy: count - 1)
    return (0..<count).map { index in
      let lower = stretch.lowerBound + index * step + index * rest / (count - 1)
      return lower..<lower + sample
    }
  }

  /// Returns those proved bytes with which a job can continue. Without a validator or a digest, a request for a gap
  /// could have no condition, so only the bytes at the start of the file are usable.
  package static func usable(_ kept: SegmentSet, validators: Validators, digestIsKnown: Bool) -> SegmentSet {
    validators.isWeak && !digestIsKnown ? SegmentSet(0..<kept.prefix) : kept
  }
}

/// Compares the stretches of a file with the server's bytes, in at most two rounds.
package struct AdoptionTrial: Sendable, Equatable {
  private enum Round { case first, second, over }

  private var round = Round.first
  /// The stretches without a differing sample so far.
  private var standing: [Segment]
  private var compared: [Segment] = []
  /// The total length in bytes of the stretches with a sample that differed.
  package private(set) var differing: Int64 = 0
  /// The places to compare next, ascending and disjoint; empty once every stretch is decided.
  package private(set) var places: [Segment] = []

  /// Starts with the bytes that can perhaps be used.
  package init(_ data: SegmentSet) {
    standing = AdoptionRule.stretches(of: data)
    places = standing.flatMap { AdoptionRule.places(of: $0, AdoptionRule.few) }
    if places.isEmpty { round = .over }
  }

  /// The bytes of the stretches that passed.
  package var kept: SegmentSet {
    var set = SegmentSet()
    for stretch in standing { set.insert(stretch) }
    return set
  }

  /// The number of bytes that were compared.
  package var comparedCount: Int64 { compared.reduce(0) { $0 + Int64($1.count) } }

  /// Records which of the present ``places`` differ.
  /// - Parameter wrong: The places that differ.
  package mutating func take(differing wrong: [Segment]) {
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
