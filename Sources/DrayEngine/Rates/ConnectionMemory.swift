internal import DrayCore
internal import Synchronization

/// Remembers how many connections are worth opening to each origin, as the engine has measured.
public final class ConnectionMemory: Sendable {
  /// The maximum number of remembered origins. If it is exceeded, all origins are forgotten and measured again.
  private static let limit = 256

  private let known: Mutex<[String: Int]>
  private let remember: @Sendable (String, Int) -> Void

  /// Creates a memory.
  /// - Parameters:
  ///   - known: The number of connections that helped, by origin (`https://host:443`); 0 if the origin's answers had
  ///     different versions.
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

  /// Whether two answers of `origin` had different versions. If so, another connection might cost all bytes that were
  /// already received.
  func disagrees(_ origin: Origin) -> Bool { known.withLock { $0[origin.description] } == 0 }

  /// Records the number of connections that helped a file of `origin`.
  func learn(_ count: Int, of origin: Origin) { learn(count, of: origin.description) }

  private func learn(_ count: Int, of name: String) {
    let isNew = known.withLock { known in
      // An origin whose answers had different versions never gets a second connection again.
      guard known[name] != count, known[name] != 0 else { return false }
      if known.count >= ConnectionMemory.limit { known = [:] }
      known[name] = count
      return true
    }
    if isNew { remember(name, count) }
  }

  func noteDisagreement(of origin: Origin) { learn(0, of: origin) }
}
