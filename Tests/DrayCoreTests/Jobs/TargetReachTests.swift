// The directories that jobs of a store of several machines may have.

import DrayCore
import Testing

@Suite struct TargetReachTests {
  @Test(
    "file systems of the network",
    arguments: [
      ("nfs", true), ("nfs4", true), ("cifs", true), ("smb3", true), ("ceph", true), ("lustre", true), ("gpfs", true),
      ("fuse.sshfs", true), ("fuse.rclone", false), ("fuse.glusterfs", true), ("fuse.s3fs", true),
      ("fuse.juicefs", true),
      ("fuse.gocryptfs", false), ("fuse.mergerfs", false), ("fuse.portal", false), ("fuseblk", false), ("ext4", false),
      ("xfs", false), ("btrfs", false), ("tmpfs", false), ("overlay", false), ("9p", false), ("", false),
    ])
  func kinds(_ name: String, _ isShared: Bool) { #expect(FileSystemKind.isShared(name) == isShared) }

  private struct Row {
    var place: String
    var kind: String?
    var rule: TargetReach
    var missing: Set<String> = []
    /// A word of the objection; `nil` if there is none.
    var word: String?
  }

  private static let rows = [
    Row(place: "/home/a", kind: "ext4", rule: TargetReach(), word: "(ext4)"),
    Row(place: "/home/a", kind: nil, rule: TargetReach(), word: "do not reach it"),
    Row(place: "/mnt/a", kind: "nfs4", rule: TargetReach()), Row(place: "s3://b/p", kind: nil, rule: TargetReach()),
    Row(place: "/home/a", kind: "ext4", rule: TargetReach(allowsLocal: true)),
    Row(place: "/data/x", kind: "ext4", rule: TargetReach(shared: ["/data"])),
    Row(place: "/data", kind: "ext4", rule: TargetReach(shared: ["/data"])),
    Row(place: "/database", kind: "ext4", rule: TargetReach(shared: ["/data"]), word: "do not reach it"),
    Row(place: "/data/x", kind: "ext4", rule: TargetReach(shared: ["/"])),
    Row(place: "/data/x", kind: "ext4", rule: TargetReach(shared: ["/data"]), missing: ["/data"], word: "missing here"),
  ]

  @Test(arguments: TargetReachTests.rows.indices)
  func objections(index: Int) {
    let row = Self.rows[index]
    let objection = row.rule.objection(to: row.place, kind: row.kind) { !row.missing.contains($0) }
    #expect((objection == nil) == (row.word == nil), "\(objection?.description ?? "none")")
    if let word = row.word { #expect(objection?.reason.contains(word) == true) }
    #expect(objection.map { $0.kind == .file } ?? true)
    // Another run may have the option, which the advice names for all commands. A missing directory is a fault.
    #expect(objection.map { ($0.recovery == .wait) == (row.word != "missing here") } ?? true)
    if objection?.recovery == .wait { #expect(objection?.advice?.text(.plain).contains("every `dray run`") == true) }
  }

  @Test("rules add up")
  func sums() {
    var rule = TargetReach(shared: ["/a"])
    rule.add(TargetReach(allowsLocal: true, shared: ["/a", "/b"]))
    #expect(rule == TargetReach(allowsLocal: true, shared: ["/a", "/b"]))
  }
}
