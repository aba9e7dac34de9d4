// Finds the kind of file system on which a path is.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// The errors of a path on a mount whose server or client program is gone.
  private static let deadMount = [ENOTCONN, ESTALE, EIO, EHOSTDOWN, ETIMEDOUT, ECONNABORTED]

  /// Returns the kind of file system of a path, or of its nearest parent that exists: `ext4`, `nfs4`, `fuse.sshfs`;
  /// `nil` if it cannot be determined. May wait for a file system over the network.
  /// - Throws: if the server of a mount is gone.
  public static func fileSystemKind(_ path: String) throws(SystemError) -> String? {
    var place = path
    while true {
      do throws(SystemError) {
        let node = try node(place)
        guard let text = try? read("/proc/self/mountinfo", limit: 16 << 20) else { return nil }
        return MountTable.kind(of: node.device, in: String(decoding: text, as: UTF8.self))
      } catch {
        if deadMount.contains(error.code) { throw error }
      }
      guard place != "/", let slash = place.lastIndex(of: "/") else { return nil }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
  }
}

/// The lines of `/proc/self/mountinfo` (proc(5)).
enum MountTable {
  /// Returns the kind of file system of a device.
  static func kind(of device: UInt64, in text: String) -> String? {
    // The kernel's encoding of device numbers, as in glibc's `major` and `minor`.
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~UInt64(0xFFF)
    let minor = device & 0xFF | (device >> 12) & ~UInt64(0xFF)
    let wanted = "\(major):\(minor)"
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count > 2, words[2] == wanted, let mark = words.firstIndex(of: "-"), mark + 1 < words.count else {
        continue
      }
      return String(words[mark + 1])
    }
    return nil
  }
}
