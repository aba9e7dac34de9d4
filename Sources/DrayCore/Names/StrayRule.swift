// Decides whether a part file that belongs to no job of this store is removed (P5, P17).

/// The facts about a stray part file.
package struct StrayFacts: Sendable, Equatable {
  /// Whether a process holds the file's lock.
  package enum Lock: Sendable, Equatable {
    case free, held
    /// Unknown, because the file system does not support locks.
    case unknown
  }

  /// The store to which the file belongs, according to its label.
  package enum Owner: Sendable, Equatable {
    /// The file has no label: either nothing was recorded for its job yet, or the file system does not support labels.
    case unknown
    /// This store, which does not have such a job.
    case thisStore
    /// The store in another state directory.
    case store(String, exists: Bool)
  }

  /// Whether a process holds the file's lock.
  package var lock: Lock
  /// The owner of the file.
  package var owner: Owner
  /// Whether the file belongs to another user.
  package var isOfAnotherUser: Bool
  /// The seconds since the last write.
  package var age: Double

  /// Creates facts. By default, the file is kept.
  package init(lock: Lock, owner: Owner = .unknown, isOfAnotherUser: Bool = false, age: Double = 0) {
    (self.lock, self.owner, self.isOfAnotherUser, self.age) = (lock, owner, isOfAnotherUser, age)
  }
}

/// The rule for stray part files.
package enum StrayRule {
  /// The seconds for which a file of unknown owner is kept.
  package static let patience: Double = 24 * 60 * 60

  /// Whether a file with a part file's name is treated as a part file. Other programs may use names like those of
  /// visible part files (P17). Such a file therefore counts only if its label says so, the store knows its UUID, or the
  /// user named it.
  package static func isPartFile(_ facts: StrayFacts, isHidden: Bool, isNamed: Bool, isKnown: Bool) -> Bool {
    isHidden || isNamed || isKnown || facts.owner != .unknown
  }

  /// The reason to keep a file, and how to remove it.
  package typealias Objection = (reason: String, advice: Advice?)

  /// The reason to keep a file; `nil` if the file may be removed.
  /// - Parameters:
  ///   - isNamed: Whether the user named exactly this file.
  ///   - path: The path of the file, for the advice.
  package static func reasonToLeave(_ facts: StrayFacts, isNamed: Bool, path: String) -> Objection? {
    if facts.lock == .held { return ("another process is using it", nil) }
    if isNamed { return nil }
    let byName: Advice = "\(.clean, at: path) removes it anyway"
    switch facts.owner {
    case .thisStore: return nil
    case .store(let store, exists: true) where PartOwnership.isShared(store):
      return ("it belongs to a job store of several machines (\(store))", "its `clean --store` removes it")
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
