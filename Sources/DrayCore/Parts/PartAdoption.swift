// Decides whether an imported job continues with the part file of the job that was exported (P2, P17).

/// What an imported job does with the part file that was written for its former store.
package enum PartAdoption: Sendable, Equatable {
  /// The job takes over the file, because the other store is gone.
  case take
  /// The job gets a copy, because another store may still use the file.
  case copy
  /// The job starts without bytes, for this reason.
  case leave(String)

  /// Decides on the part file.
  /// - Parameters:
  ///   - facts: The facts, as for `dray clean`, about the file that has the part file's name in the job's directory;
  ///     `nil` if there is none.
  ///   - isOfAnotherJob: Whether the file says that it belongs to another job.
  ///   - hasSums: Whether checksums of the file's bytes are known, for comparison with a copy.
  package static func decide(_ facts: StrayFacts?, isOfAnotherJob: Bool, hasSums: Bool) -> PartAdoption {
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
