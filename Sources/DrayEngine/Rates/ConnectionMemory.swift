// The engine's shared knowledge of how many connections help at each origin.

internal import DrayCore
internal import Synchronization

/// How many connections are worth opening to an origin.
public final class ConnectionMemory: Sendable {
  /// The maximum number of origins. When more are met, all are forgotten, and must be measured again.
  private static let limit = 256

  private let known: Mutex<[String: Int]>
  private let remember: @Sendable (String, Int) -> Void

  /// Creates a memory.
  /// - Parameters:
  ///   - known: The number that helped, by origin (`https://host:443`); 0 if answers had different versions.
  ///   - remember: Takes changes. Called on the loop's thread; must return at once.
  public init(_ known: [String: Int] = [:], remember: @escaping @Sendable (String, Int) -> Void = { _, _ in }) {
    self.known = Mutex(known)
    self.remember = remember
  }

  /// `nil` if unknown.
  func helpful(at origin: Origin) -> Int? {
    known.withLock { $0[origin.description] }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The length of the ranges that an origin serves, if it refuses whole files.
  func range(at origin: Origin) -> Int64? {
    known.withLock { $0[ConnectionMemory.rangeName(origin)] }.map { Int64($0) << 10 }
  }

  func learn(range: Int64, of origin: Origin) { learn(Int(range >> 10), of: ConnectionMemory.rangeName(origin)) }

  /// The entry beside the one for connections, in KiB.
  private static func rangeName(_ origin: Origin) -> String { "\(origin.description) ranges" }

  /// Whether two answers of `origin` had different versions. Another connection may cost all received bytes if so.
  func disagrees(_ origin: Origin) -> Bool { known.withLock { $0[origin.description] } == 0 }

  /// Records the number of connections that helped a file of `origin`.
  func learn(_ count: Int, of origin: Origin) { learn(count, of: origin.description) }

  private func learn(_ count: Int, of name: String) {
    let isNew = known.withLock { known in
      // An origin that has contradicted itself does not get several connections again.
      guard known[name] != count, known[name] != 0 else { return false }
      if known.count >= ConnectionMemory.limit { known = [:] }
      known[name] = count
      return true
    }
    if isNew { remember(name, count) }
  }

  func noteDisagreement(of origin: Origin) { learn(0, of: origin) }
}
