// Selects files below a directory.

/// A selection of files by path patterns.
public struct TreeFilter: Sendable, Equatable {
  /// The patterns of which a file must match one; empty selects all files.
  public var includes: [PathPattern]
  /// The patterns of which no file or directory may match one.
  public var excludes: [PathPattern]

  /// Creates a filter; by default it selects all files.
  public init(includes: [PathPattern] = [], excludes: [PathPattern] = []) {
    (self.includes, self.excludes) = (includes, excludes)
  }

  /// Whether a file is selected.
  /// - Parameter components: The components of its path from the start.
  public func takes(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) } && (includes.isEmpty || includes.contains { $0.matches(components) })
  }

  /// Whether a directory may contain selected files.
  public func enters(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) }
      && (includes.isEmpty || includes.contains { $0.mayMatchBelow(components) })
  }
}
