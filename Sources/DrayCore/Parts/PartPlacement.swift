/// What to do with the part file of a job whose directory changes.
package enum PartPlacement: Sendable, Equatable {
  /// Leave the part file where it is: either there is none, or both paths lead to the same directory.
  case nothing
  /// Move the part file to the new directory.
  case move
  /// Do nothing, because the user has already moved the part file to the new directory.
  case adopt
  /// The job cannot have that directory, for this reason.
  case refuse(String, advice: Advice)

  /// The facts found on disk.
  package struct Facts: Sendable, Equatable {
    /// Whether both paths lead to the same directory.
    package var isSameDirectory = false
    /// Whether the part file is in the job's present directory.
    package var isOld = false
    /// The facts, as for `dray clean`, about the file that has the part file's name in the new directory; `nil` if
    /// there is none.
    package var new: StrayFacts?
    /// Whether the label of that file names another job.
    package var isOfAnotherJob = false

    /// Creates facts for the case that nothing was found.
    package init() {}
  }

  /// - Parameters:
  ///   - path: The new path of the part file.
  ///   - other: The old path.
  package static func decide(_ facts: Facts, path: String, other: String) -> PartPlacement {
    if facts.isSameDirectory { return .nothing }
    guard let new = facts.new else { return facts.isOld ? .move : .nothing }
    if facts.isOld {
      return .refuse("there is a part file both there and in \(other)", advice: "remove the one that you do not need")
    }
    if facts.isOfAnotherJob {
      return .refuse("a file of another job has the name of its part file there", advice: "move \(path) away")
    }
    if new.lock == .held { return .refuse("another process is using its part file", advice: "try again later") }
    if case .store(let store, exists: true) = new.owner {
      return .refuse(
        "its part file belongs to the job store in \(store)", advice: "remove the job there, or move that store away")
    }
    if new.isOfAnotherUser {
      return .refuse("its part file belongs to another user", advice: "change the owner of \(path)")
    }
    return .adopt
  }
}
