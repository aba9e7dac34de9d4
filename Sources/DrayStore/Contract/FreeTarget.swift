// Chooses free target paths: two unfinished jobs never share a target (N6).

import DrayCore

enum FreeTarget {
  /// Returns `name` if it has no owner. Otherwise the policy `rename` returns a numbered name that is not in `taken`, and
  /// every other policy throws a failure of kind `file`. `rename` also avoids `name` itself if it is in `taken`.
  ///
  /// The search ends: `taken` is finite, and so is the number of jobs.
  /// - Parameters:
  ///   - taken: names that the destination has. They were looked up before the transaction, which must not wait for a
  ///     server.
  ///   - owner: returns another unfinished job that has a name in the directory as its target.
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
