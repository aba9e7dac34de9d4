// Disks that lose power: ext4 in an image file, mounted through a loop device. The file has the writes that reached the
// loop device, without those that the kernel has not written back. A copy of the file is the disk after a cut.
//
// The limits: this does not model a disk that loses or reorders writes before a flush, as each write to the image
// counts. Whether the file system requests flushes is its own promise. Only ext4 is tested, whose journal keeps all
// changes of names and inodes in order. The job store has a separate disk, so that the journal does not hide a wrong
// order.

import FaultServer
import Foundation
import TestSupport

/// The fate of unsynced data at a cut.
enum Survivor: String, Sendable, CaseIterable {
  /// Only synced bytes, and bytes that the kernel wrote back.
  case synced
  /// Also all names, lengths and modes, but no more bytes: the journal was committed just before the cut, which can
  /// happen at any time.
  case names
}

/// Both disks after a cut.
struct PowerLoss: Sendable, CustomStringConvertible {
  var home: Survivor
  var downloads: Survivor

  var description: String { "of the store \(home), of the downloads \(downloads)" }

  static let all = Survivor.allCases.flatMap { home in
    Survivor.allCases.map { PowerLoss(home: home, downloads: $0) }
  }

  /// All in a soak. Otherwise the two losses with one disk ahead, and at every fourth numbered crash the two with equal
  /// disks.
  static func some(after crash: Crash) -> [PowerLoss] {
    if CrashSweep.isSoak { return all }
    return all.filter { ($0.home == $0.downloads) == (crash.call == nil && crash.at % 4 == 0) }
  }
}

/// One disk, at a place of the sandbox.
struct PowerDisk: Sendable {
  /// Its mount point.
  let place: String
  /// The image file.
  let image: String
  let sandbox: Sandbox

  /// Journals name and inode only, gives files their blocks before their bytes, and does not help a program that
  /// forgets a sync: a file with unsynced bytes contains the old content of its blocks. The journal is committed only
  /// on request.
  private static let harsh = "loop,data=writeback,nodelalloc,noauto_da_alloc,noatime,commit=300"
  /// Debian's mount options, without the help for missing syncs and with rare commits.
  private static let usual = "loop,noauto_da_alloc,noatime,commit=300"
  /// The size of a disk: room for some files of 4 MiB and a journal.
  private static let size = 28 << 20

  /// An empty disk whose free blocks are not zeros; nil without loop devices, or without the right to mount them.
  static let template = Task<Data?, Never> {
    guard geteuid() == 0, FileManager.default.fileExists(atPath: "/dev/loop-control") else { return nil }
    var bytes: Data?
    try? await Sandbox.use { sandbox in
      let image = sandbox.root + "/streams/disk"
      try Data(repeating: 0xA5, count: size).write(to: URL(fileURLWithPath: image))
      let options = ["-q", "-F", "-m", "0", "-b", "1024", "-E", "nodiscard,lazy_itable_init=1", "-J", "size=4", image]
      guard try await sandbox.tool("mkfs.ext4", options).status == 0 else { return }
      let disk = PowerDisk(place: sandbox.downloads, image: image, sandbox: sandbox)
      try await disk.mount(isHarsh: true)
      try FileManager.default.removeItem(atPath: disk.place + "/lost+found")
      try await disk.unmount()
      bytes = try Data(contentsOf: URL(fileURLWithPath: image))
    }
    return bytes
  }

  /// Whether this machine can have such disks.
  static var isPossible: Bool { get async { await template.value != nil } }

  func mount(isHarsh: Bool) async throws {
    let mounted = try await sandbox.tool("mount", ["-o", isHarsh ? Self.harsh : Self.usual, image, place])
    guard mounted.status == 0 else { throw HarnessError("\(mounted)") }
  }

  func unmount() async throws {
    // Another process may be reading all mounts right now.
    for options in [[], [], ["-l"]] where try await sandbox.tool("umount", options + [place]).status == 0 { return }
    throw HarnessError("\(place) cannot be unmounted")
  }

  /// Commits the journal; writes file data only if the file system requires it.
  func commitNames() async throws {
    // A change to the directory's own inode gives its sync something to commit.
    let committed = try await sandbox.tool("bash", ["-c", "touch \"$0\" && sync \"$0\"", place])
    guard committed.status == 0 else { throw HarnessError("\(committed)") }
  }
}

extension Need {
  static let loopDevices = Need("loop-devices", "an image is mounted by root, with a loop device and mkfs.ext4") {
    await PowerDisk.isPossible
  }
}

/// The two disks of a sandbox: one for the state directory, one for the downloads.
struct PowerDisks: Sendable {
  private let home, downloads: PowerDisk
  private let sandbox: Sandbox
  private let isHarsh: Bool

  private var images: String { (home.image as NSString).deletingLastPathComponent }

  /// Runs `body` with both disks mounted.
  static func use(_ sandbox: Sandbox, isHarsh: Bool, _ body: (PowerDisks) async throws -> Void) async throws {
    guard let template = await PowerDisk.template.value else { throw HarnessError("no loop devices") }
    // In memory if there is enough: only the file system's writes count, not their destination.
    let memory = (try? FileManager.default.attributesOfFileSystem(forPath: "/dev/shm")[.systemFreeSize]) as? NSNumber
    let roomy = (memory?.int64Value ?? 0) > 4 << 30
    let images = (roomy ? "/dev/shm/" : NSTemporaryDirectory()) + "dray-disks-\(UUID().uuidString)"
    let manager = FileManager.default
    try manager.createDirectory(atPath: images, withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: images) }
    let disks = PowerDisks(
      home: PowerDisk(place: sandbox.home, image: images + "/home", sandbox: sandbox),
      downloads: PowerDisk(place: sandbox.downloads, image: images + "/downloads", sandbox: sandbox),
      sandbox: sandbox, isHarsh: isHarsh)
    try manager.createDirectory(atPath: sandbox.home, withIntermediateDirectories: true)
    for disk in disks.both {
      try template.write(to: URL(fileURLWithPath: disk.image))
      try await disk.mount(isHarsh: isHarsh)
    }
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: sandbox.home)
    do {
      try await body(disks)
    } catch {
      for disk in disks.both { try? await disk.unmount() }
      throw error
    }
    for disk in disks.both { try await disk.unmount() }
  }

  private var both: [PowerDisk] { [home, downloads] }

  /// Makes everything durable.
  func settle() async throws {
    for disk in both {
      let synced = try await sandbox.tool("sync", ["-f", disk.place])
      guard synced.status == 0 else { throw HarnessError("\(synced)") }
    }
  }

  /// Cuts the power: copies the disks in their current state, once for each kind of survivor.
  func cut() async throws {
    // Copy both disks first, before a commit on one of them can write to it.
    try await keep(.synced)
    for disk in both { try await disk.commitNames() }
    try await keep(.names)
  }

  private func keep(_ survivor: Survivor) async throws {
    for disk in both { try await copy(disk.image, disk.image + ".\(survivor)") }
  }

  /// Restores the power after `loss`: mounts both disks as the cut left them.
  func restore(_ loss: PowerLoss) async throws {
    for (disk, survivor) in [(home, loss.home), (downloads, loss.downloads)] {
      try await disk.unmount()
      // To a new file: the loop device may not release the old one at once.
      try FileManager.default.removeItem(atPath: disk.image)
      try await copy(disk.image + ".\(survivor)", disk.image)
      try await disk.mount(isHarsh: isHarsh)
    }
  }

  private func copy(_ from: String, _ to: String) async throws {
    let copied = try await sandbox.tool("cp", ["--reflink=never", from, to])
    guard copied.status == 0 else { throw HarnessError("\(copied)") }
  }
}
