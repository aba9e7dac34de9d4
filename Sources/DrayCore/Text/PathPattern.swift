// Path patterns: `*` and `?` within a component, `**` for any number of components.

/// A pattern for paths below a directory.
///
/// - A pattern without a slash matches the name of a file or directory at any depth: `*.iso`.
/// - A pattern with a slash matches the path from the start: `pool/*/a.deb`. A leading slash means that the pattern
///   begins at the top: `/README`.
/// - `*` matches any text within a component, `?` one character. The component `**` matches any number of components,
///   or none.
/// - A pattern with a trailing slash matches everything below such a directory.
/// - A pattern that matches a directory matches everything below it.
package struct PathPattern: Sendable, Equatable {
  private enum Part: Equatable {
    /// The component `**`.
    case any
    case name(Wildcard)
  }

  /// The maximum length of a pattern in bytes.
  static let longest = 4096

  private let parts: [Part]

  /// Reads a pattern.
  /// - Throws: ``QuantityParseError`` if it is empty or too long.
  package init(_ text: String) throws(QuantityParseError) {
    guard text.utf8.count <= PathPattern.longest else { throw QuantityParseError("the pattern is too long") }
    let pieces = text.unicodeScalars.split(separator: "/")
    guard !pieces.isEmpty else {
      throw QuantityParseError("\(quoted(text)) names nothing: write a pattern such as *.iso")
    }
    var parts: [Part] = pieces.map { $0.elementsEqual("**".unicodeScalars) ? .any : .name(Wildcard(String($0))) }
    // Several `**` in a row mean the same as one.
    for index in parts.indices.dropFirst().reversed() where parts[index] == .any && parts[index - 1] == .any {
      parts.remove(at: index)
    }
    let isFromStart = text.unicodeScalars.dropLast().contains("/")
    if !isFromStart, parts.first != .any { parts.insert(.any, at: 0) }
    // A directory that matches includes everything below it, so a trailing slash or `**` adds nothing.
    if parts.count > 1, parts.last == .any { parts.removeLast() }
    self.parts = parts
  }

  /// Whether the pattern matches a path, or a directory above the path. The time is proportional to the product of the
  /// lengths of pattern and path.
  /// - Parameter components: The components of the path from the start.
  package func matches(_ components: some Collection<String>) -> Bool {
    var places = first
    for component in components {
      places = next(places, component)
      if places.contains(parts.count) { return true }
    }
    return false
  }

  /// Whether anything below a directory may match.
  package func mayMatchBelow(_ directory: some Collection<String>) -> Bool {
    var places = first
    for component in directory {
      places = next(places, component)
      if places.contains(parts.count) { return true }
      if places.isEmpty { return false }
    }
    return true
  }

  /// The parts that may match the first component, as indexes.
  private var first: Set<Int> { closed([0]) }

  /// Returns the parts that may match after a component, given those that may match that component.
  private func next(_ places: Set<Int>, _ component: String) -> Set<Int> {
    var following: Set<Int> = []
    for place in places where place < parts.count {
      switch parts[place] {
      case .any: following.insert(place)
      case .name(let pattern): if pattern.matches(component) { following.insert(place + 1) }
      }
    }
    return closed(following)
  }

  /// Adds the part after each `**`, because `**` may match no component.
  private func closed(_ places: Set<Int>) -> Set<Int> {
    var closed = places
    for place in places where place < parts.count && parts[place] == .any { closed.insert(place + 1) }
    return closed
  }
}
