// How many connections were found to help a file of each origin, as all transfers of an engine share it.

internal import DrayCore
internal import Synchronization

/// Knows how many connections are worth opening to an origin, and learns.
public final class ConnectionMemory: Sendable {
  /// Origins that are remembered; beyond that all are forgotten, which costs finding out again.
  private static let limit = 256

  private let known: Mutex<[String: Int]>
  private let remember: @Sendable (String, Int) -> Void

  /// Creates one.
  /// - Parameters:
  ///   - known: how many helped, by origin (`https://host:443`); 0 if answers were of different versions.
  ///   - remember: receives changes; called on the loop's thread, so it must return at once.
  public init(_ known: [String: Int] = [:], remember: @escaping @Sendable (String, Int) -> Void = { _, _ in }) {
    self.known = Mutex(known)
    self.remember = remember
  }

  /// How many connections helped a file of `origin` before.
  func helpful(at origin: Origin) -> Int? {
    known.withLock { $0[origin.description] }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether two answers of `origin` were of different versions: then each further connection may cost all there is.
  func disagrees(_ origin: Origin) -> Bool { known.withLock { $0[origin.description] } == 0 }

  /// Remembers how many connections helped a file of `origin`.
  func learn(_ count: Int, of origin: Origin) {
    let name = origin.description
    let isNew = known.withLock { known in
      // Who disagreed with itself once is not asked by several again.
      guard known[name] != count, known[name] != 0 else { return false }
      if known.count >= ConnectionMemory.limit { known = [:] }
      known[name] = count
      return true
    }
    if isNew { remember(name, count) }
  }

  /// Remembers that answers of `origin` were of different versions.
  func noteDisagreement(of origin: Origin) { learn(0, of: origin) }
}
