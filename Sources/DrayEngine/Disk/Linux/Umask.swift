internal import Glibc
internal import Posix

/// The umask of the process, read once.
enum Umask {
  static let current: UInt32 = {
    // Linux shows it in /proc (proc(5)); elsewhere it can only be read by setting it, for all threads.
    if let status = System.processFile("self/status", limit: 1 << 16),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: { $0.hasPrefix("Umask:") }
      ),
      let mask = UInt32(line.dropFirst(6).drop(while: \.isWhitespace), radix: 8)
    {
      return mask
    }
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()
}
