// Partial files of other programs: the bytes that are examined, the samples that decide, and the outcome (P2).

import Testing

@testable import DrayCore

@Suite struct AdoptionTests {
  private static let mib: Int64 = 1 << 20
  private static let strong = Validators(etag: "\"1\"")

  private static func file(_ size: Int64, done: SegmentSet? = nil, of total: Int64 = 0) -> Adoption {
    Adoption(
      path: "/d/f", identity: FileIdentity(device: 1, inode: 2, size: size, modified: 3),
      control: done.map { Adoption.ControlFile(path: "/d/f.aria2", size: total, done: $0) })
  }

  @Test func candidatesAreWhatItsProgramCallsDoneAndWhatIsThere() {
    #expect(AdoptionRule.candidates(Self.file(0)) == SegmentSet())
    #expect(AdoptionRule.candidates(Self.file(10)) == SegmentSet(0..<10))
    #expect(AdoptionRule.candidates(Self.file(10, done: SegmentSet(5..<20))) == SegmentSet(5..<10))
    #expect(AdoptionRule.candidates(Self.file(10, done: SegmentSet())) == SegmentSet())
  }

  @Test func ofManyRunsTheLongestAreChosen() {
    var runs: [Segment] = []
    for index in Int64(0)..<1000 { runs.append(index * 10_000..<index * 10_001 + 1) }
    let chosen = AdoptionRule.longest(runs)
    #expect(chosen.segments == Array(runs.suffix(AdoptionRule.mostRuns)))
    #expect(AdoptionRule.longest(Array(runs.prefix(3))).segments == Array(runs.prefix(3)))
  }

  /// A weak ETag identifies nothing.
  private static let weak = Validators(etag: "W/\"1\"")

  @Test(
    arguments: [
      (file(10), 10, strong, .safe, false, nil), (file(11), 10, strong, .safe, false, .longer(11, than: 10)),
      (file(10, done: SegmentSet(0..<5), of: 20), 20, strong, .safe, false, nil),
      (file(10, done: SegmentSet(0..<5), of: 21), 20, strong, .safe, false, .otherSize(21, 20)),
      (file(10), 20, weak, .safe, false, .unidentified), (file(10), 20, Validators(), .safe, false, .unidentified),
      (file(10), 20, weak, .always, false, nil), (file(10), 20, weak, .safe, true, nil),
      (file(30), 20, weak, .safe, true, .longer(30, than: 20)),
    ] as [(Adoption, Int64, Validators, ResumeMode, Bool, AdoptionRefusal?)])
  func whatTheFirstAnswerTells(
    file: Adoption, size: Int64, validators: Validators, mode: ResumeMode, digestIsKnown: Bool,
    expected: AdoptionRefusal?
  ) {
    let refusal = AdoptionRule.refusal(
      of: file, size: size, validators: validators, offered: [], mode: mode, digestIsKnown: digestIsKnown)
    #expect(refusal == expected)
  }

  @Test func aDigestOfTheServersIdentifiesTheVersion() throws {
    let digest = SourcedDigest(
      try DigestValue.parse("sha-256=" + String(repeating: "0f", count: 32)), DigestSource(rawValue: "Repr-Digest"))
    let refusal = AdoptionRule.refusal(
      of: Self.file(10), size: 20, validators: Self.weak, offered: [digest], mode: .safe, digestIsKnown: false)
    #expect(refusal == nil)
  }

  @Test(arguments: [
    ("", ""), ("0-100", "0-100"), ("5-6291456", "5-6291456"), ("0-6291457", "0-4194304,4194304-6291457"),
    // Borders are at whole blocks, so that each stretch has separate checksums.
    ("1000-10000000", "1000-4194304,4194304-10000000"), ("0-100,1000-2000", "0-100,1000-2000"),
  ])
  func stretches(data: String, expected: String) throws {
    let stretches = AdoptionRule.stretches(of: try #require(SegmentSet(data)))
    #expect(stretches.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",") == expected)
  }

  @Test(arguments: [1, 63, 64, 1000, 4096, 1 << 20] as [Int64])
  func aFileHasNotTooManyStretchesAndEachByteIsInOne(count: Int64) {
    let size = count * Self.mib + 77
    let stretches = AdoptionRule.stretches(of: SegmentSet(0..<size))
    #expect(stretches.count <= 65)
    var end: Int64 = 0
    for stretch in stretches {
      #expect(stretch.lowerBound == end)
      end = stretch.upperBound
    }
    #expect(end == size)
  }

  // MARK: The comparison

  /// Runs a trial of a file that differs from the server's in `wrong`.
  private func run(_ data: String, wrong: String) throws -> (trial: AdoptionTrial, rounds: Int) {
    let wrong = try #require(SegmentSet(wrong))
    var trial = AdoptionTrial(try #require(SegmentSet(data)))
    var rounds = 0
    while !trial.places.isEmpty {
      rounds += 1
      for (one, next) in zip(trial.places, trial.places.dropFirst()) { #expect(one.upperBound <= next.lowerBound) }
      trial.take(differing: trial.places.filter { !wrong.clamped(to: $0).isEmpty })
      try #require(rounds < 3)
    }
    return (trial, rounds)
  }

  @Test(arguments: [
    ("", "", "", 0), ("0-1000", "", "0-1000", 1), ("0-1000", "999-1000", "", 1),
    ("0-12582912", "", "0-12582912", 1),
    // The ends and the middle of each stretch of 4 MiB.
    ("0-12582912", "0-1", "4194304-12582912", 2), ("0-12582912", "4194303-4194304", "4194304-12582912", 2),
    ("0-12582912", "2097152-2097153", "4194304-12582912", 2), ("0-12582912", "4194303-4194305", "8388608-12582912", 2),
    ("0-12582912", "0-12582912", "", 1), ("0-12582912", "12582911-12582912", "0-8388608", 2),
    // Differences between samples stay unseen, unless another sample differs: then more places are compared.
    ("0-12582912", "1000000-1000001", "0-12582912", 1),
    ("0-12582912", "1064960-1064961,12582911-12582912", "4194304-8388608", 2),
    ("0-100,200-300", "250-251", "0-100", 1),
  ])
  func whatDiffersIsNotTaken(data: String, wrong: String, kept: String, rounds: Int) throws {
    let (trial, count) = try run(data, wrong: wrong)
    #expect(trial.kept.description == kept)
    #expect(count == rounds)
    #expect(trial.differing == (try #require(SegmentSet(data))).count - trial.kept.count)
  }

  /// A range across the border of two stretches, or half a stretch long, is always sampled.
  @Test(arguments: [0, 1_000_000, 4_000_000, 8_000_000, 11_000_000] as [Int64])
  func aLongDifferenceIsAlwaysSeen(lower: Int64) throws {
    let wrong = lower..<min(lower + 2_200_000, 12 * Self.mib)
    let (trial, _) = try run("0-\(12 * Self.mib)", wrong: "\(wrong.lowerBound)-\(wrong.upperBound)")
    #expect(trial.kept.clamped(to: wrong).isEmpty)
  }

  @Test func whatIsComparedIsLittleOfALargeFile() {
    var trial = AdoptionTrial(SegmentSet(0..<4096 * Self.mib))
    trial.take(differing: [])
    #expect(trial.places.isEmpty && trial.kept == SegmentSet(0..<4096 * Self.mib))
    #expect(trial.comparedCount == 64 * 3 * AdoptionRule.sample)
  }

  @Test func withoutAValidatorOnlyTheBeginningIsOfUse() throws {
    let kept = try #require(SegmentSet("0-10,20-30"))
    #expect(AdoptionRule.usable(kept, validators: Self.strong, digestIsKnown: false) == kept)
    #expect(AdoptionRule.usable(kept, validators: Self.weak, digestIsKnown: true) == kept)
    #expect(AdoptionRule.usable(kept, validators: Self.weak, digestIsKnown: false) == SegmentSet(0..<10))
  }

  // MARK: Messages

  @Test func summaries() {
    var file = Self.file(10)
    #expect(file.summary == nil && file.mayBeReplaced)
    file.outcome = Adoption.Outcome(taken: 2048, compared: 1024)
    #expect(file.summary == "continuing /d/f with 2.0 KiB; samples match the server's file")
    #expect(file.mayBeReplaced)
    file.outcome?.differing = 512
    #expect(file.summary?.hasSuffix("; 512 B differ, and are fetched again") ?? false)
    file.outcome = Adoption.Outcome(refusal: AdoptionRefusal.differs.text)
    #expect(file.summary == "/d/f differs from the server's file; nothing of it is used" && !file.mayBeReplaced)
    file.outcome = Adoption.Outcome(refusal: AdoptionRefusal.empty.text, wasEmpty: true)
    #expect(file.mayBeReplaced)
  }

  @Test func aControlFileIsLeftOverWhereItsFileWasReplaced() {
    var file = Self.file(10, done: SegmentSet(0..<5), of: 20)
    file.outcome = Adoption.Outcome(taken: 5)
    #expect(file.leftOver(target: "/d/f") == "/d/f.aria2 is left over and can be removed")
    #expect(file.leftOver(target: "/d/g") == nil && Self.file(10).leftOver(target: "/d/f") == nil)
  }

  @Test func theFileWhoseBytesAreHereStays() {
    var (first, second) = (Self.file(10), Self.file(11))
    #expect(first.renewed(by: nil) == first && first.renewed(by: second) == second)
    first.outcome = Adoption.Outcome(refusal: "x")
    #expect(first.renewed(by: second) == second)
    first.outcome = Adoption.Outcome(taken: 1)
    second.outcome = nil
    #expect(first.renewed(by: second) == first)
  }

  // MARK: The first answer

  @Test(
    arguments: [
      (206, ["Content-Range: bytes 0-0/9", "Content-Length: 1"], .begins(size: 9)),
      (206, ["Content-Range: bytes 0-0/9"], .begins(size: 9)),
      (206, ["Content-Range: bytes 0-0/*", "Content-Length: 1"], .notServed),
      (206, ["Content-Range: bytes 1-1/9", "Content-Length: 1"], .notServed),
      (206, ["Content-Range: bytes 0-8/9", "Content-Length: 9"], .notServed),
      (206, ["Content-Range: bytes 0-0/9", "Content-Length: 2"], .notServed), (206, ["Content-Length: 1"], .notServed),
      (206, ["Content-Range: bytes 0-0/9", "Content-Length: 1", "Content-Encoding: gzip"], .notServed),
      (200, ["Content-Length: 9"], .notServed), (416, ["Content-Range: bytes */0"], .notServed),
    ] as [(Int, [String], SegmentAnswer.First)])
  func firstAnswers(status: Int, fields: [String], expected: SegmentAnswer.First) {
    let head = ResponseHead(
      status: status,
      fields: fields.map { line in
        let parts = line.split(separator: ": ", maxSplits: 1)
        return HeaderField(String(parts[0]), String(parts[1]))
      })
    #expect(SegmentAnswer.first(on: head, asked: 0..<1, subject: "u", now: 0) == expected)
  }

  @Test(arguments: [(404, Failure.Recovery.final), (503, .retry), (429, .retry)])
  func refusals(status: Int, recovery: Failure.Recovery) {
    let head = ResponseHead(status: status, fields: [])
    guard case .refused(let failure) = SegmentAnswer.first(on: head, asked: 0..<1, subject: "u", now: 0) else {
      Issue.record("it refuses")
      return
    }
    #expect((failure.httpStatus == status && failure.recovery == .retry) == (recovery == .retry))
  }
}
