internal import DrayCore
internal import Synchronization

/// Remembers how many connections are worth opening to each origin, as the engine has measured, and which files get
/// only one.
public final class ConnectionMemory: Sendable {
  /// The number of entries, of origins and of files, from which on no more are added. Then the files are forgotten, and
  /// if that is not enough, everything is, and is measured again.
  static let limit = 256
  /// For how many minutes a file gets one connection after its connections got different versions. Other files of the
  /// origin are not affected: a file that changed says nothing about them.
  private static let caution = 60

  private let known: Mutex<[String: Int]>
  private let remember: @Sendable (String, Int) -> Void

  /// Creates a memory.
  /// - Parameters:
  ///   - known: What an earlier memory gave to `remember`, by name: the number of connections that helped at an origin
  ///     (`https://host:443`), and others.
  ///   - remember: Receives changes. Called on the loop's thread; must return at once.
  public init(_ known: [String: Int] = [:], remember: @escaping @Sendable (String, Int) -> Void = { _, _ in }) {
    self.known = Mutex(known)
    self.remember = remember
  }

  /// Returns the number of connections that helped; `nil` if unknown.
  func helpful(at origin: Origin) -> Int? {
    known.withLock { $0[origin.description] }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns the length of the ranges that an origin serves if it refuses to serve whole files.
  func range(at origin: Origin) -> Int64? {
    known.withLock { $0[ConnectionMemory.rangeName(origin)] }.map { Int64($0) << 10 }
  }

  func learn(range: Int64, of origin: Origin) { learn(Int(range >> 10), of: ConnectionMemory.rangeName(origin)) }

  /// The name of the entry for the length of an origin's ranges, in KiB; the length is stored like a number of
  /// connections.
  private static func rangeName(_ origin: Origin) -> String { "\(origin.description) ranges" }

  /// Returns until when (in seconds since 1970) a file gets one connection, because its connections got different
  /// versions: another one might cost all bytes that were already received. `nil` if it may get several.
  func singleUntil(_ url: RequestURL, now: Double) -> Double? {
    guard let minute = known.withLock({ $0[ConnectionMemory.fileName(url)] }) else { return nil }
    // An end that is too far away was recorded before the clock was set back.
    let left = Double(minute) * 60 - now
    return left > 0 && left <= Double(ConnectionMemory.caution + 1) * 60 ? now + left : nil
  }

  /// Records that connections to a file got different versions.
  /// - Returns: Until when the file gets one connection; `nil` if that was known.
  func noteDisagreement(about url: RequestURL, now: Double) -> Double? {
    guard singleUntil(url, now: now) == nil else { return nil }
    let minute = Int((now / 60).rounded(.up)) + ConnectionMemory.caution
    learn(minute, of: ConnectionMemory.fileName(url))
    return Double(minute) * 60
  }

  /// The name of the entry for a file. The entry's number is the minute since 1970 at which the limit ends. The name
  /// contains a hash instead of the URL, because the URL may contain secrets.
  private static func fileName(_ url: RequestURL) -> String {
    "\(url.origin.description)\(fileMark)\(String(ObjectTag.hash(url.normal), radix: 16))"
  }

  /// What the names of entries for files contain, and no others.
  private static let fileMark = " file "

  /// Records the number of connections that helped a file of `origin`.
  func learn(_ count: Int, of origin: Origin) { learn(count, of: origin.description) }

  private func learn(_ count: Int, of name: String) {
    let isNew = known.withLock { known in
      guard known[name] != count else { return false }
      if known.count >= ConnectionMemory.limit {
        known = known.filter { !$0.key.contains(ConnectionMemory.fileMark) }
        if known.count >= ConnectionMemory.limit { known = [:] }
      }
      known[name] = count
      return true
    }
    if isNew { remember(name, count) }
  }
}
