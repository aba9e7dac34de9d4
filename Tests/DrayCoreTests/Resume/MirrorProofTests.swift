// When bytes of other servers count: proofs, compared ranges, and the source of each byte (P16).

import DrayCore
import Testing

@Suite struct MirrorProofTests {
  @Test(
    arguments: [
      (nil, nil, false, .comparison), ("\"a\"", nil, false, .validator), ("W/\"a\"", nil, false, .comparison),
      // A date from another server proves nothing, even if it is a strong validator there.
      (nil, "Sun, 06 Nov 1994 08:49:37 GMT", false, .comparison), (nil, nil, true, .digest),
      ("\"a\"", nil, true, .digest),
    ] as [(String?, String?, Bool, SourceProof)])
  func whatProvesAMirror(etag: String?, modified: String?, digestIsKnown: Bool, expected: SourceProof) {
    let validators = Validators(etag: etag, lastModified: modified, date: "Mon, 07 Nov 1994 08:49:37 GMT")
    #expect(SourceProof.ofOther(validators, digestIsKnown: digestIsKnown) == expected)
  }

  @Test(arguments: [
    // Short stretches are compared whole; of long ones both ends and the middle, in proportion.
    ("0-1", "0-1"), ("100-12388", "100-12388"), ("0-12289", "0-4096,4096-8192,8193-12289"),
    ("1000000-2000000", "1000000-1015625,1492187-1507812,1984375-2000000"),
    ("0-1073741824", "0-65536,536838144-536903680,1073676288-1073741824"),
    ("0-10,20-30", "0-10,20-30"),
  ])
  func placesDecide(brought: String, expected: String) throws {
    let set = try #require(SegmentSet(brought))
    let places = MirrorSample.places(of: set).map { "\($0.lowerBound)-\($0.upperBound)" }
    #expect(places.joined(separator: ",") == expected)
  }

  private func extent(_ segment: Segment) -> BlockSums.Extent { BlockSums.Extent(segment, CRC32C()) }

  @Test func whatIsTheSameCountsAndWhatCameMeanwhileWaits() {
    var bytes = UnprovedBytes()
    #expect(bytes.isEmpty && bytes.begin() == [])
    bytes.note(extent(0..<100), of: 1)
    bytes.note(extent(100..<200), of: 1)
    #expect(bytes.begin() == [0..<200])
    bytes.note(extent(200..<300), of: 1)
    #expect(bytes.prove().map(\.segment) == [0..<200])
    #expect(!bytes.isEmpty)
    #expect(bytes.begin() == [200..<300])
    #expect(bytes.prove().map(\.segment) == [200..<300])
    #expect(bytes.isEmpty)
  }

  @Test func whatCouldNotBeComparedIsComparedAgain() {
    var bytes = UnprovedBytes()
    bytes.note(extent(0..<100), of: 1)
    _ = bytes.begin()
    bytes.note(extent(100..<200), of: 1)
    bytes.putBack()
    #expect(bytes.begin() == [0..<200])
  }

  @Test func oneThatIsDroppedTakesAllOfItsBytesWithItAndNoOthers() {
    var bytes = UnprovedBytes()
    bytes.note(extent(0..<100), of: 1)
    bytes.note(extent(500..<600), of: 2)
    #expect(bytes.begin() == [0..<100, 500..<600])
    bytes.note(extent(100..<150), of: 1)
    #expect(bytes.source(of: 99) == 1 && bytes.source(of: 500) == 2 && bytes.source(of: 100) == nil)
    #expect(bytes.holder(of: 99) == 1 && bytes.holder(of: 500) == 2)
    #expect(bytes.holder(of: 100) == 1 && bytes.holder(of: 150) == nil)
    #expect(bytes.drop(1).description == "0-150")
    #expect(bytes.drop(1).isEmpty)
    #expect(bytes.prove().map(\.segment) == [500..<600])
    #expect(bytes.isEmpty)
  }

  @Test func whatIsLostIsFetchedAgain() throws {
    var plan = SegmentPlan(size: 1000, done: try #require(SegmentSet("0-400,600-1000")))
    plan.lose(try #require(SegmentSet("300-700,900-950")))
    #expect(plan.done.description == "0-300,700-900,950-1000")
    #expect(plan.unowned.description == "300-700,900-950")
    // Bytes being fetched belong to one source.
    _ = plan.adopt(300..<500, source: 0, now: 0)
    plan.lose(SegmentSet(0..<1000))
    #expect(plan.done.isEmpty)
    #expect(plan.unowned.description == "0-300,500-1000")
  }
}
