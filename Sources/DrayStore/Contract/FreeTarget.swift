// Chooses target paths that no other unfinished job has (N6).

internal import DrayCore

enum FreeTarget {
  /// Returns `name` if no other unfinished job has it as its target. Otherwise, the policy `rename` returns a numbered
  /// name, and all other policies throw a failure of kind `file`. `rename` also avoids the names in `taken`.
  ///
  /// The search ends, because `taken` and the number of jobs are finite.
  /// - Parameters:
  ///   - taken: The names that exist at the destination. The caller looks them up before the transaction, because a
  ///     transaction must not wait for a server.
  ///   - owner: Returns another unfinished job whose target has this name in the directory.
  static func name(
    _ name: String, in directory: String, policy: ConflictPolicy, taken: Set<String>,
    owner: (String) throws -> TargetClash?
  ) throws -> String {
    let clash = try owner(name)
    if policy != .rename {
      guard let clash else { return name }
      throw clash.failure(PathText.join(directory, name))
    }
    if clash == nil, !taken.contains(name) { return name }
    for number in 1... {
      let numbered = FileName.numbered(name, number)
      if !taken.contains(numbered), try owner(numbered) == nil { return numbered }
    }
    return name
  }
}
