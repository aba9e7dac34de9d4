// Jars: files of cookies in the Netscape format that several processes may change safely.

package import DrayCore
internal import DrayEngine
package import DrayStore
internal import Posix
internal import Synchronization
internal import Threads

/// A file of cookies. Its content is complete at any time, because the file is never overwritten, but replaced. The
/// calls block the calling thread.
package struct CookieJar: Sendable {
  /// The absolute path.
  package let path: String
  /// The file that is locked while the jar is read, changed and replaced; with `nil`, the jar's directory is locked.
  private let lockPath: String?

  /// The maximum length of a jar in bytes; browsers keep a few thousand cookies of at most 4 KiB.
  private static let limit: Int64 = 64 << 20

  /// Creates dray's own jar.
  package init(in home: StateDirectory) {
    (path, lockPath) = (home.cookiesPath, home.cookiesPath + ".lock")
  }

  /// Creates a jar that the user named. For such a jar, no lock file is left beside it; writers of all stores lock its
  /// directory.
  init(path: String) { (self.path, lockPath) = (path, nil) }

  /// The identity of a jar when it was read. Jars are only replaced, never changed, so an unchanged identity means the
  /// same cookies.
  private struct Mark: Equatable {
    var node: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  /// The jars that were read last, so that a queue of many small files does not read its jar for each file.
  private static let known = Mutex<[String: (mark: Mark, cookies: CookieList)]>([:])

  /// Returns the cookies that have not expired; none if the jar does not exist.
  /// - Throws: Kind `file`.
  package func read() throws(Failure) -> CookieList {
    let status: FileStatus
    do throws(SystemError) { status = try System.status(at: path) } catch {
      if error.code == SystemError.noEntry { return CookieList() }
      throw CookieJar.unusable(path, "the cookies cannot be read", error.text)
    }
    let mark = Mark(
      node: status.inode, size: status.size, seconds: status.modified.seconds, nanoseconds: status.modified.nanoseconds)
    if var cookies = CookieJar.known.withLock({ $0[path].flatMap { $0.mark == mark ? $0.cookies : nil } }) {
      cookies.removeExpired(at: Int64(WallClock.now()))
      return cookies
    }
    // Take the mark before reading: a file that replaces the jar in the meantime then has another mark.
    let cookies = try CookieJar.read(path, mayBeMissing: true)
    CookieJar.known.withLock { $0[path] = (mark, cookies) }
    return cookies
  }

  static func read(_ path: String, mayBeMissing: Bool = false) throws(Failure) -> CookieList {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try System.read(path, limit: Int(limit)) } catch {
      if error.call == "open", error.code == SystemError.noEntry, mayBeMissing { return CookieList() }
      throw unusable(path, "the cookies cannot be read", error.text)
    }
    // Cookies from servers are kept as far as possible. Cookies from the user are sent unchanged, or not at all.
    if !mayBeMissing, let line = OutsideText.badLine(in: bytes) {
      throw Failure(
        .file, "\(TextSafety.escaped(path)):\(line)", "the line is not UTF-8", advice: "save the file as UTF-8",
        recovery: .keep)
    }
    var list = CookieList(text: String(decoding: bytes, as: UTF8.self))
    list.removeExpired(at: Int64(WallClock.now()))
    return list
  }

  /// Changes the jar while other writers wait. If `body` changes nothing, the file is not written.
  /// - Throws: Kind `file`; the jar is then unchanged.
  package func change(_ body: (inout CookieList) -> Void) throws(Failure) {
    let directory = PathText.directory(of: path)
    let lock: Int32
    do throws(SystemError) {
      lock =
        if let lockPath { try System.openOrCreate(lockPath, mode: 0o600) } else {
          try System.open(directory, [.reading, .directory])
        }
    } catch {
      throw CookieJar.unusable(lockPath ?? directory, "the cookies cannot be locked", error.text)
    }
    defer { System.unlockAndClose(lock) }
    do throws(SystemError) { try System.lock(lock) } catch {
      throw CookieJar.unusable(lockPath ?? directory, "the cookies cannot be locked", error.text)
    }
    var list = try read()
    let before = list
    body(&list)
    list.removeExpired(at: Int64(WallClock.now()))
    guard list != before else { return }
    do {
      try AtomicFile.write(list.text.utf8, to: path, isPrivate: true)
    } catch {
      throw CookieJar.unusable(path, "the cookies cannot be written", error.reason)
    }
  }

  private static func unusable(_ path: String, _ what: String, _ why: String) -> Failure {
    Failure(
      .file, path, "\(what): \(why)",
      advice: "check its owner, or use \(.noCookies) to ignore dray's own cookies", recovery: .keep)
  }
}
