// The verdict on a share: by what the machine sees, by the mark in the store, and for runners and calls that add jobs.

import DrayCore
import Testing

@Suite struct ShareRuleTests {
  /// What a machine saw, and three verdicts each for a runner and for adding jobs: with no mark in the store, with mark
  /// X, and with mark Y.
  struct Row: Sendable {
    var sight: ShareSight
    var runner: [ShareVerdict]
    var chosen: [ShareVerdict]

    init(_ sight: ShareSight, _ runner: [ShareVerdict], chosen: [ShareVerdict]? = nil) {
      (self.sight, self.runner, self.chosen) = (sight, runner, chosen ?? runner)
    }

    /// The same verdict, whatever the store knows.
    init(_ sight: ShareSight, always verdict: ShareVerdict) {
      self.init(sight, [verdict, verdict, verdict])
    }
  }

  static let rows = [
    Row(.marked("X", .usable), [.adopt("X"), .use, .refuse(.other(wanted: "Y"))]),
    Row(
      .marked("X", .readOnly), [.refuse(.readOnly), .refuse(.readOnly), .refuse(.other(wanted: "Y"))],
      chosen: [.adopt("X"), .use, .refuse(.other(wanted: "Y"))]),
    Row(
      .marked("X", .full), [.refuse(.full), .refuse(.full), .refuse(.other(wanted: "Y"))],
      chosen: [.adopt("X"), .use, .refuse(.other(wanted: "Y"))]),
    // A runner never makes a mark. If none is known, it uses the share, because jobs of older versions have no mark.
    Row(
      .unmarked(.usable), [.use, .refuse(.unmarked(wanted: "X")), .refuse(.unmarked(wanted: "Y"))],
      chosen: [.mark, .refuse(.unmarked(wanted: "X")), .refuse(.unmarked(wanted: "Y"))]),
    Row(
      .unmarked(.readOnly), [.refuse(.readOnly), .refuse(.unmarked(wanted: "X")), .refuse(.unmarked(wanted: "Y"))],
      chosen: [.use, .refuse(.unmarked(wanted: "X")), .refuse(.unmarked(wanted: "Y"))]),
    Row(
      .unmarked(.full), [.refuse(.full), .refuse(.unmarked(wanted: "X")), .refuse(.unmarked(wanted: "Y"))],
      chosen: [.use, .refuse(.unmarked(wanted: "X")), .refuse(.unmarked(wanted: "Y"))]),
    Row(.missing, always: .refuse(.missing)),
    Row(.broken("Stale file handle"), always: .refuse(.broken("Stale file handle"))),
    Row(.silent, always: .refuse(.silent)),
  ]

  @Test(arguments: ShareRuleTests.rows.indices)
  func verdicts(index: Int) {
    let row = Self.rows[index]
    for (known, place) in [(nil, 0), ("X", 1), ("Y", 2)] as [(String?, Int)] {
      #expect(ShareRule.decide(row.sight, known: known, isChosen: false) == row.runner[place])
      #expect(ShareRule.decide(row.sight, known: known, isChosen: true) == row.chosen[place])
    }
  }

  /// Columns: the free bytes, those when the share failed for lack of space, and whether it is full.
  @Test(
    arguments: [
      (nil, nil, false), (nil, 0, false), (0, nil, true), (1, nil, false), (64 << 10, 64 << 10, true),
      (1 << 20, 64 << 10, true), (2 << 20, 64 << 10, false), (40 << 20, 30 << 20, true), (60 << 20, 30 << 20, false),
      (63 << 20, 60 << 20, true), (64 << 20, 60 << 20, false), (1 << 40, 1 << 40, false),
    ] as [(Int64?, Int64?, Bool)])
  func space(_ free: Int64?, _ then: Int64?, _ isFull: Bool) {
    #expect(ShareRule.isFull(free: free, then: then) == isFull)
  }

  @Test("looks become rarer, up to a minute")
  func intervals() {
    #expect((0..<8).map { ShareRule.interval(looks: $0) } == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(ShareRule.interval(looks: .max) == 60)
  }

  @Test(
    "each fault names the share and what to do, and keeps the job",
    arguments: [
      .missing, .unmarked(wanted: "X"), .other(wanted: "X"), .readOnly, .full, .broken("Input/output error"), .silent,
    ] as [ShareFault])
  func failures(_ fault: ShareFault) {
    let failure = fault.failure("/mnt/share")
    #expect(failure.subject == "/mnt/share" && failure.advice != nil && failure.recovery == .wait)
    let repairs = failure.advice?.text(.plain).contains("`echo X > /mnt/share/.dray-share`")
    switch fault {
    case .unmarked, .other: #expect(repairs == true)
    default: #expect(repairs == false)
    }
  }

  @Test("the lowest directory that contains a path")
  func lowest() {
    let roots = ["/mnt", "/mnt/share", "/", "/mnt/share2"]
    #expect(TargetReach.lowest(of: roots, containing: "/mnt/share/a") == "/mnt/share")
    #expect(TargetReach.lowest(of: roots, containing: "/mnt/share") == "/mnt/share")
    #expect(TargetReach.lowest(of: roots, containing: "/home") == "/")
    #expect(TargetReach.lowest(of: ["/mnt/share"], containing: "/mnt/shares") == nil)
  }
}
