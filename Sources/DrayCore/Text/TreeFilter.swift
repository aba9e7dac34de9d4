// Which files below a directory are wanted.

/// What is included and what is excluded, by patterns for paths.
public struct TreeFilter: Sendable, Equatable {
  /// Only files that one of these is for; empty is all.
  public var includes: [PathPattern]
  /// No file or directory that one of these is for.
  public var excludes: [PathPattern]

  /// Makes a filter; by default everything is wanted.
  public init(includes: [PathPattern] = [], excludes: [PathPattern] = []) {
    (self.includes, self.excludes) = (includes, excludes)
  }

  /// Whether a file is wanted.
  /// - Parameter components: the parts of its path from the start.
  public func takes(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) } && (includes.isEmpty || includes.contains { $0.matches(components) })
  }

  /// Whether a directory may have anything that is wanted.
  public func enters(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) }
      && (includes.isEmpty || includes.contains { $0.mayMatchBelow(components) })
  }
}
