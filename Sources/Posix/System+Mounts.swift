// Finds the kind of file system on which a path is.

internal import Glibc

extension SystemError {
  /// The errors of a mount whose server or client program is gone, and of a device that fails.
  private static let ofMounts = [
    ENOTCONN, ESTALE, EIO, EHOSTDOWN, EHOSTUNREACH, ETIMEDOUT, ECONNABORTED, ECONNRESET, ENODEV, ENXIO, ESHUTDOWN,
  ]

  /// Whether the error is that of a mount or a device, and not of a single file.
  public var isOfMount: Bool { SystemError.ofMounts.contains(code) }
}

extension System {
  /// Returns the kind of file system of a path, or of its nearest parent that exists: `ext4`, `nfs4`, `fuse.sshfs`;
  /// `nil` if it cannot be determined. May wait for a file system over the network.
  /// - Throws: An error if the server of a mount is gone.
  public static func fileSystemKind(_ path: String) throws(SystemError) -> String? { try mount(path)?.kind }

  /// Returns the kind of file system of a path, or of its nearest parent that exists, and where it is mounted; `nil` if
  /// they cannot be determined. There is no mount point if the path leads to the file system through a link. May wait
  /// for a file system over the network.
  /// - Throws: An error if the server of a mount is gone.
  public static func mount(_ path: String) throws(SystemError) -> (kind: String, point: String?)? {
    var place = path
    while true {
      do throws(SystemError) {
        let node = try node(place)
        guard let text = processFile("self/mountinfo", limit: 16 << 20) else { return nil }
        return MountTable.mount(of: node.device, with: path, in: String(decoding: text, as: UTF8.self))
      } catch {
        if error.isOfMount { throw error }
      }
      guard place != "/", let slash = place.lastIndex(of: "/") else { return nil }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
  }
}

/// The lines of `/proc/self/mountinfo` (proc(5)).
enum MountTable {
  /// The point is the lowest one above the path, if there is one.
  static func mount(of device: UInt64, with path: String, in text: String) -> (kind: String, point: String?)? {
    // The kernel's encoding of device numbers, as in glibc's `major` and `minor`.
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~UInt64(0xFFF)
    let minor = device & 0xFF | (device >> 12) & ~UInt64(0xFF)
    let wanted = "\(major):\(minor)"
    var found: (kind: String, point: String?)?
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count > 4, words[2] == wanted, let mark = words.firstIndex(of: "-"), mark + 1 < words.count else {
        continue
      }
      if found == nil { found = (String(words[mark + 1]), nil) }
      // In points with a space or another special character, that character is escaped. Such points match no path;
      // their files have a kind without a point.
      let point = String(words[4])
      guard path == point || path.hasPrefix(point == "/" ? point : point + "/") else { continue }
      if point.utf8.count >= found?.point?.utf8.count ?? 0 { found?.point = point }
    }
    return found
  }
}
