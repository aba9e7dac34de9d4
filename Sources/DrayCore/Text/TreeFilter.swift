/// Selects files below a directory by path patterns.
package struct TreeFilter: Sendable, Equatable {
  /// A file must match at least one of these patterns, if there are any.
  package var includes: [PathPattern]
  /// A file or directory that matches any of these patterns is left out.
  package var excludes: [PathPattern]

  /// Creates a filter; by default it selects all files.
  package init(includes: [PathPattern] = [], excludes: [PathPattern] = []) {
    (self.includes, self.excludes) = (includes, excludes)
  }

  /// Whether a file is selected.
  /// - Parameter components: The components of the file's path from the start.
  package func takes(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) } && (includes.isEmpty || includes.contains { $0.matches(components) })
  }

  /// Whether a directory may contain selected files.
  package func enters(_ components: some Collection<String>) -> Bool {
    !excludes.contains { $0.matches(components) }
      && (includes.isEmpty || includes.contains { $0.mayMatchBelow(components) })
  }
}
