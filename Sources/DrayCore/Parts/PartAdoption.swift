// Whether a job that is imported goes on with the part file of the job that was exported: a pure decision (P2, P17).

/// What becomes of the part file of a job from another store.
public enum PartAdoption: Sendable, Equatable {
  /// It becomes the job's: the store that had it is gone.
  case take
  /// The job gets a copy: another store may have a use for it.
  case copy
  /// The job begins from nothing, for this reason.
  case leave(String)

  /// Decides.
  /// - Parameters:
  ///   - facts: what has its name in the directory of the job, as of `dray clean`; `nil` for nothing.
  ///   - isOfAnotherJob: whether that says it is of another job.
  ///   - hasSums: whether checksums of its bytes are known, by which a copy can be compared.
  public static func decide(_ facts: StrayFacts?, isOfAnotherJob: Bool, hasSums: Bool) -> PartAdoption {
    guard let facts else { return .leave("its part file is not there") }
    if isOfAnotherJob { return .leave("what has the name of its part file is of another job") }
    if facts.lock == .held { return .leave("another process is using its part file") }
    if facts.isOfAnotherUser { return .leave("its part file belongs to another user") }
    switch facts.owner {
    case .thisStore, .store(_, exists: false): return .take
    case .store, .unknown: return hasSums ? .copy : .leave("its part file may be another store's")
    }
  }
}
