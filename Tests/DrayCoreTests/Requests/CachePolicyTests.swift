// Conditional requests for an existing target, the answers that keep it, and the files that may be replaced.

import Testing

@testable import DrayCore

@Suite struct CachePolicyTests {
  private static let file = FileIdentity(device: 1, inode: 2, size: 10, modified: 784_111_777_500_000_000)
  private static let other = FileIdentity(device: 1, inode: 3, size: 10, modified: 784_111_778_000_000_000)
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test("recorded validators apply to the recorded file only; otherwise its time does")
  func conditions() {
    let known = TargetBaseline(
      name: "f", identity: Self.file, validators: Validators(etag: "W/\"v1\"", lastModified: "x"))
    #expect(known.condition(for: Self.file) == CacheCondition(etag: "W/\"v1\"", since: "x", size: 10))
    #expect(
      known.condition(for: Self.other) == CacheCondition(etag: nil, since: "Sun, 06 Nov 1994 08:49:38 GMT", size: 10))
    let bare = TargetBaseline(name: "f", identity: Self.file, validators: Validators())
    #expect(bare.condition(for: Self.file) == CacheCondition(etag: nil, since: Self.date, size: 10))
    // Of these conditions, only an ETag lets a 304 confirm the length of the file.
    #expect(!known.leavesLengthOpen(for: Self.file) && known.leavesLengthOpen(for: Self.other))
    #expect(bare.leavesLengthOpen(for: Self.file))
    let tag = TargetBaseline(name: "f", identity: Self.file, validators: Validators(etag: "\"v1\""))
    #expect(tag.condition(for: Self.file).fields.map(\.name) == ["If-None-Match", "If-Modified-Since"])
  }

  @Test(
    arguments: [
      ("304", 304, [], true),
      ("same ETag", 200, ["ETag: \"v1\"", "Content-Length: 10"], true),
      ("same ETag, no length", 200, ["ETag: \"v1\""], true),
      ("same ETag, other length", 200, ["ETag: \"v1\"", "Content-Length: 11"], false),
      ("other ETag", 200, ["ETag: \"v2\"", "Content-Length: 10", "Last-Modified: \(date)"], false),
      (
        "weak ETag, same date and length", 200, ["ETag: W/\"v1\"", "Content-Length: 10", "Last-Modified: \(date)"], true
      ),
      ("same date and length", 200, ["Content-Length: 10", "Last-Modified: \(date)"], true),
      ("older", 200, ["Content-Length: 10", "Last-Modified: Sun, 06 Nov 1994 08:49:36 GMT"], true),
      ("younger", 200, ["Content-Length: 10", "Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT"], false),
      ("other length", 200, ["Content-Length: 11", "Last-Modified: \(date)"], false),
      ("no length", 200, ["Last-Modified: \(date)"], false), ("nothing", 200, [], false),
      ("length alone", 200, ["Content-Length: 10"], false),
    ])
  func answers(row: String, status: Int, lines: [String], isUpToDate: Bool) {
    let decision = AnswerDecision(
      recorded: Checkpoint(), asked: .changed(CacheCondition(etag: "\"v1\"", since: Self.date, size: 10)),
      subject: "u", now: 0)
    let action = decision.action(on: ResponseHead(status, lines))
    if isUpToDate {
      #expect(action == .upToDate, "\(row)")
    } else if case .write(0, _, _, 0, nil) = action {
    } else {
      Issue.record("\(row): \(action)")
    }
  }

  @Test("an unrequested 304 is an error, and so is a 412 to a conditional request")
  func unasked() {
    var decision = AnswerDecision(recorded: Checkpoint(), asked: .whole, subject: "u", now: 0)
    guard case .stop = decision.action(on: ResponseHead(304)) else {
      Issue.record("304 was taken")
      return
    }
    decision.asked = .changed(CacheCondition(size: 0))
    guard case .stop = decision.action(on: ResponseHead(412)) else {
      Issue.record("412 was taken")
      return
    }
  }

  private static let edited = FileIdentity(device: 1, inode: 2, size: 12, modified: 784_111_900_000_000_000)
  private static let v1 = Validators(etag: "\"v1\"")
  private static let tagged = TargetBaseline(name: "f", identity: file, validators: v1)
  private static let before = TargetBaseline(name: "f", identity: edited, published: file, validators: v1)

  /// The record of an earlier fetch applies to the file that it published, also after an edit, and to no other file.
  @Test(
    arguments: [
      ("unchanged", file, tagged, true, nil, "\"v1\""), ("edited", edited, tagged, true, file, "\"v1\""),
      ("edited, the last attempt failed", edited, tagged, false, file, "\"v1\""),
      ("edited before", edited, before, false, file, "\"v1\""), ("edited again", other, before, false, file, "\"v1\""),
      ("restored", file, before, false, nil, "\"v1\""),
      ("published, no validators", edited, TargetBaseline(name: "f", identity: file), true, file, nil),
      ("never fetched", edited, TargetBaseline(name: "f", identity: file), false, nil, nil),
      ("another name", edited, TargetBaseline(name: "g", identity: file), true, nil, nil),
    ] as [(String, FileIdentity, TargetBaseline, Bool, FileIdentity?, String?)])
  func learning(
    row: String, found: FileIdentity, known: TargetBaseline, isPublished: Bool, published: FileIdentity?, etag: String?
  ) {
    var baseline = TargetBaseline(name: "f", identity: found)
    baseline.learn(from: known, isPublished: isPublished)
    #expect(baseline.published == published && baseline.validators?.etag == etag, "\(row)")
    // The server is asked about the version that was fetched.
    let condition = baseline.condition(for: found)
    #expect(condition.etag == etag && condition.size == (published ?? found).size, "\(row)")
    #expect(baseline.isEdited == (published != nil), "\(row)")
  }

  @Test("the digest of the fetched file is not that of an edited or another one")
  func digests() throws {
    let digest = try DigestValue.parse("md5=\(String(repeating: "0", count: 32))")
    let known = TargetBaseline(name: "f", identity: Self.file, digest: digest)
    let edited = TargetBaseline(name: "f", identity: Self.edited, published: Self.file, digest: digest)
    let found = [
      known.knownDigest(of: Self.file), known.knownDigest(of: Self.edited), edited.knownDigest(of: Self.edited),
      TargetBaseline(digest: digest).knownDigest(of: Self.file),
    ]
    #expect(found == [digest, nil, nil, nil])
  }

  @Test("only the file that was compared is replaced")
  func replacing() {
    let known = TargetBaseline(name: "f", identity: Self.file)
    #expect(known.permitsReplacing(Self.file, named: "f", addedAt: 0))
    #expect(!known.permitsReplacing(Self.other, named: "f", addedAt: 1e10))
    #expect(!known.permitsReplacing(Self.file, named: "g", addedAt: 1e10))
    #expect(!TargetBaseline(name: "f").permitsReplacing(Self.file, named: "f", addedAt: 1e10))
    #expect(TargetBaseline().permitsReplacing(Self.file, named: "f", addedAt: 784_111_777))
    #expect(!TargetBaseline().permitsReplacing(Self.other, named: "f", addedAt: 784_111_777))
  }

  @Test(
    arguments: [
      (date, 784_111_777), ("nonsense", nil), ("Thu, 01 Jan 1970 00:00:00 GMT", nil),
      ("Sun, 06 Nov 1960 08:49:37 GMT", nil), ("Sun, 06 Nov 2094 08:49:37 GMT", nil),
    ] as [(String, Int64?)])
  func times(value: String, time: Int64?) {
    let head = ResponseHead(200, "Last-Modified: \(value)")
    #expect(ArrivalTime.lastModified(head, now: 1_800_000_000) == time)
    let exact = (time ?? 0) * 1_000_000_000
    #expect(ArrivalTime.isTime(exact, of: head, now: 1_800_000_000) == (time != nil))
    #expect(!ArrivalTime.isTime(exact + 1, of: head, now: 1_800_000_000))
  }
}
