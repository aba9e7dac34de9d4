// Whether a part file that no job of this store owns may be removed: a pure decision (P5, P17).

/// What is known of such a file.
public struct StrayFacts: Sendable, Equatable {
  /// Whether somebody has it open.
  public enum Lock: Sendable, Equatable {
    case free, held
    /// There are no locks here, so nothing is proved.
    case unknown
  }

  /// Whose its label says that it is.
  public enum Owner: Sendable, Equatable {
    /// It has none: its job had no byte recorded yet, or the file system keeps no labels.
    case unknown
    /// The store that knows of no such job.
    case thisStore
    /// The store in another state directory.
    case store(String, exists: Bool)
  }

  /// Whether somebody has it open.
  public var lock: Lock
  /// Whose it is.
  public var owner: Owner
  /// Whether the file is another user's.
  public var isOfAnotherUser: Bool
  /// Seconds since it was written to.
  public var age: Double

  /// Makes the facts; those of which nothing else is known speak for leaving it.
  public init(lock: Lock, owner: Owner = .unknown, isOfAnotherUser: Bool = false, age: Double = 0) {
    (self.lock, self.owner, self.isOfAnotherUser, self.age) = (lock, owner, isOfAnotherUser, age)
  }
}

/// The rule.
public enum StrayRule {
  /// Seconds for which a file is left of which nothing tells whose it is.
  public static let patience: Double = 24 * 60 * 60

  /// Why a file is left; `nil` if it is removed.
  /// - Parameters:
  ///   - isNamed: whether the user named this very file.
  ///   - path: where it is, for the advice.
  public static func reasonToLeave(_ facts: StrayFacts, isNamed: Bool, path: String) -> String? {
    if facts.lock == .held { return "another process is using it" }
    if isNamed { return nil }
    let byName = "`dray clean \(path)` removes it anyway"
    switch facts.owner {
    case .thisStore: return nil
    case .store(let store, exists: true):
      return "it belongs to the job store in \(store); use `DRAY_HOME=\(store) dray clean`"
    case .store, .unknown: break
    }
    if facts.isOfAnotherUser { return "it belongs to another user; \(byName)" }
    guard facts.age >= patience else {
      return "it was written to less than a day ago and its owner is unknown; \(byName)"
    }
    return nil
  }
}
