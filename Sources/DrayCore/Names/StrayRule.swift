// Whether a part file that no job of this store owns may be removed: a pure decision (P5, P17).

/// What is known of such a file.
public struct StrayFacts: Sendable, Equatable {
  /// Whether a process has it open.
  public enum Lock: Sendable, Equatable {
    case free, held
    /// There are no locks here, so it is unknown.
    case unknown
  }

  /// The owner named by its label.
  public enum Owner: Sendable, Equatable {
    /// It has none: its job had no byte recorded yet, or the file system has no labels.
    case unknown
    /// The store that knows of no such job.
    case thisStore
    /// The store in another state directory.
    case store(String, exists: Bool)
  }

  /// Whether a process has it open.
  public var lock: Lock
  /// Its owner.
  public var owner: Owner
  /// Whether the file belongs to another user.
  public var isOfAnotherUser: Bool
  /// Seconds since it was written to.
  public var age: Double

  /// Creates the facts; the defaults are in favour of keeping it.
  public init(lock: Lock, owner: Owner = .unknown, isOfAnotherUser: Bool = false, age: Double = 0) {
    (self.lock, self.owner, self.isOfAnotherUser, self.age) = (lock, owner, isOfAnotherUser, age)
  }
}

/// The rule.
public enum StrayRule {
  /// How long a file of unknown owner is kept, in seconds.
  public static let patience: Double = 24 * 60 * 60

  /// Whether a file with the name of a part file is taken for one. Other programs may give names of the visible form, too (P17):
  /// such a file is one only if it says so itself, the store knows its UUID, or the user named it.
  public static func isPartFile(_ facts: StrayFacts, isHidden: Bool, isNamed: Bool, isKnown: Bool) -> Bool {
    isHidden || isNamed || isKnown || facts.owner != .unknown
  }

  /// Why a file is kept, and how it could be removed.
  public typealias Objection = (reason: String, advice: Advice?)

  /// Why a file is kept; `nil` if it is removed.
  /// - Parameters:
  ///   - isNamed: whether the user named this very file.
  ///   - path: where it is, for the advice.
  public static func reasonToLeave(_ facts: StrayFacts, isNamed: Bool, path: String) -> Objection? {
    if facts.lock == .held { return ("another process is using it", nil) }
    if isNamed { return nil }
    let byName: Advice = "\(.clean, at: path) removes it anyway"
    switch facts.owner {
    case .thisStore: return nil
    case .store(let store, exists: true):
      return ("it belongs to the job store in \(store)", "use \(.cleanStore, at: store)")
    case .store, .unknown: break
    }
    if facts.isOfAnotherUser { return ("it belongs to another user", byName) }
    guard facts.age >= patience else {
      return ("it was written to less than a day ago and its owner is unknown", byName)
    }
    return nil
  }
}
