// The kind of file system of a path, from the kernel's table of mounts (proc(5)).

import Testing

@testable import Posix

@Suite struct MountTests {
  private static let table = """
    22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
    36 22 0:31 / /mnt/share rw,relatime shared:15 master:2 - nfs4 server:/export rw,vers=4.2
    40 22 0:52 / /home/a/far rw,nosuid,nodev - fuse.sshfs a@b:/ rw
    41 22 8:257 /sub /data rw - xfs /dev/sdq1 rw
    broken
    """

  /// Columns: the major and minor number of a device, and its kind.
  @Test(
    arguments: [(254, 1, "ext4"), (0, 31, "nfs4"), (0, 52, "fuse.sshfs"), (8, 257, "xfs"), (9, 9, nil)]
      as [(UInt64, UInt64, String?)])
  func kinds(_ major: UInt64, _ minor: UInt64, _ kind: String?) {
    // The encoding of glibc's `makedev`.
    let device = (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | minor & 0xFF | (minor & ~0xFF) << 12
    #expect(MountTable.mount(of: device, with: "/mnt/share/a", in: Self.table)?.kind == kind)
  }

  /// Columns: the minor number of a device with the major number 0, a path, and the mount point above it.
  @Test(
    arguments: [
      (31, "/mnt/share/a", "/mnt/share"), (31, "/mnt/share", "/mnt/share"), (31, "/mnt/shared", nil),
      (52, "/home/a/far/b", "/home/a/far"), (52, "/link/b", nil),
    ] as [(UInt64, String, String?)])
  func points(_ minor: UInt64, _ path: String, _ point: String?) {
    #expect(MountTable.mount(of: minor, with: path, in: Self.table)?.point == point)
  }

  @Test("a path that does not exist has the kind of its parent, and this machine has a name")
  func paths() throws {
    #if !DRAY_PORTABLE
    #expect(try System.fileSystemKind("/proc/nothing/here") == "proc")
    #expect(try System.fileSystemKind("/proc") == "proc")
    #endif
    #expect(!System.hostName.isEmpty)
  }
}
