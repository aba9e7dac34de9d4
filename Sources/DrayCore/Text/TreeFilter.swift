// Selects files below a directory.

/// A selection of files by path patterns.
public struct TreeFilter: Sendable, Equatable {
  /// The patterns for included files: a file must match at least one. Empty includes all files.
  public var includes: [PathPattern]
  /// The patterns for excluded files and directories: a match with any pattern excludes.
  public var excludes: [PathPattern]

  /// Creates a filter; by default it selects all files.
  public init(includes: [PathPattern] = [], excludes: [PathPattern] = []) {
    (self.includes, self.excludes) = (includes, excludes)
  }

  /// Whether a file is selected.
  /// - Parameter components: The components of the file's path from the start.
  public func takes(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) } && (includes.isEmpty || includes.contains { $0.matches(components) })
  }

  /// Whether a directory may contain selected files.
  public func enters(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) }
      && (includes.isEmpty || includes.contains { $0.mayMatchBelow(components) })
  }
}
