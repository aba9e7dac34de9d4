// Chooses free target paths: two unfinished jobs never share a target (N6).

import DrayCore

enum FreeTarget {
  /// Returns `name` if it has no owner. Otherwise the policy `rename` returns a numbered name that is also free according
  /// to `exists`, and every other policy throws a failure of kind `file`. `rename` also avoids `name` itself if it exists.
  /// - Parameter owner: returns another unfinished job that has a name in the directory as its target.
  static func name(
    _ name: String, in directory: String, policy: ConflictPolicy, exists: (String) -> Bool,
    owner: (String) throws -> TargetClash?
  ) throws -> String {
    let clash = try owner(name)
    if policy != .rename {
      guard let clash else { return name }
      throw clash.failure(PathText.join(directory, name))
    }
    if clash == nil, !exists(name) { return name }
    for number in 1... {
      let numbered = FileName.numbered(name, number)
      if try owner(numbered) == nil, !exists(numbered) { return numbered }
    }
    return name
  }
}
