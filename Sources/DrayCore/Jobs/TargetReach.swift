// Decides whether every machine of a fleet can reach a directory (for a store that several machines use).

/// The kinds of file systems, by the names in `/proc/self/mountinfo`.
package enum FileSystemKind {
  /// Whether other machines can mount a file system of this kind, and then see all bytes that were synced.
  package static func isShared(_ name: String) -> Bool {
    let fuse = name.hasPrefix("fuse.") ? String(name.dropFirst("fuse.".count)) : nil
    if let fuse, !localFuse.contains(fuse), !lateFuse.contains(fuse) { return true }
    return name.hasPrefix("nfs") || network.contains(name)
  }

  private static let network: Set<String> = [
    "cifs", "smb3", "smbfs", "ceph", "lustre", "gpfs", "beegfs", "afs", "auristorfs", "ocfs2", "gfs2", "glusterfs",
    "pvfs2", "orangefs", "wekafs", "panfs", "coda",
  ]

  /// FUSE programs that keep bytes on this machine for a while, even after a sync.
  private static let lateFuse: Set<String> = ["rclone"]

  /// FUSE programs that show files of this machine.
  private static let localFuse: Set<String> = [
    "encfs", "gocryptfs", "cryfs", "bindfs", "mergerfs", "unionfs", "unionfs-fuse", "fuse-overlayfs", "portal",
    "gvfsd-fuse", "lxcfs", "snapfuse", "squashfuse", "ntfs-3g", "ext2", "exfat",
  ]
}

/// The rule for the directories of jobs in a store that several machines use.
public struct TargetReach: Sendable, Equatable {
  /// Whether the user says that each machine keeps its own files (`--local-targets`).
  public var allowsLocal: Bool
  /// The directories that the user says all machines have in common (`--shared-dir`), as absolute paths.
  public var shared: [String]

  /// Creates a rule. The defaults allow only file systems that are known to be shared.
  public init(allowsLocal: Bool = false, shared: [String] = []) {
    (self.allowsLocal, self.shared) = (allowsLocal, shared)
  }

  /// Adds what another rule allows.
  package mutating func add(_ other: TargetReach) {
    allowsLocal = allowsLocal || other.allowsLocal
    shared += other.shared.filter { !shared.contains($0) }
  }

  /// Returns the directory of ``shared`` that contains a path.
  package func sharedRoot(of path: String) -> String? { TargetReach.lowest(of: shared, containing: path) }

  /// Returns the deepest one of these directories that contains a path.
  package static func lowest(of roots: some Sequence<String>, containing path: String) -> String? {
    roots.filter { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }.max {
      $0.utf8.count < $1.utf8.count
    }
  }

  /// The reason why jobs must not use a place; `nil` if they may. A job with such a place stays interrupted until a run
  /// with another rule transfers it.
  /// - Parameters:
  ///   - place: The absolute path of a directory, or the URL of a place in an object store.
  ///   - kind: The kind of file system of the directory, or of its nearest parent that exists; `nil` if unknown.
  ///   - exists: Returns whether a directory exists.
  package func objection(to place: String, kind: String?, exists: (String) -> Bool) -> Failure? {
    // Every machine can reach an object store.
    if allowsLocal || !place.hasPrefix("/") { return nil }
    if let root = sharedRoot(of: place) {
      guard !exists(root) else { return nil }
      // If the share is not mounted, creating the directory would store the files on the disk of this machine.
      return Failure(
        .file, root, "the shared directory is missing here", advice: "mount it, then try again", recovery: .keep)
    }
    if kind.map(FileSystemKind.isShared) ?? false { return nil }
    return Failure(
      .file, place, "other machines of this queue do not reach it\(kind.map { " (\($0))" } ?? "")",
      advice: """
        mount the share, or use s3://BUCKET/PREFIX, or give `dray add` and every `dray run` `--shared-dir DIR` (all \
        machines share DIR) or `--local-targets`
        """, recovery: .wait)
  }

  /// The failure of a job whose request body is a file on this machine.
  package static func bodyStaysHere(_ url: String) -> Failure {
    Failure(
      .usage, url, "its body is kept on this machine, and any machine of this queue may send it",
      advice: "use `--local-targets` if only this machine runs the job, or a store of this machine")
  }
}
