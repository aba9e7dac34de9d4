// Patterns for paths: `*` and `?` within a part of a path, `**` for any number of parts.

/// A pattern for the paths below a directory.
///
/// - One without a slash is for the name of a file or a directory, wherever that is: `*.iso`.
/// - One with a slash is for the path from the start: `pool/*/a.deb`. A slash at its beginning only says that: `/README`.
/// - `*` is any text within a part, `?` one character of it, and a part `**` any number of parts, none among them.
/// - A slash at its end: all that is below such a directory.
/// - What is for a directory is for all that is below it.
public struct PathPattern: Sendable, Equatable {
  private enum Part: Equatable {
    /// `**`
    case any
    case name(Wildcard)
  }

  /// The longest pattern, in bytes.
  static let longest = 4096

  private let parts: [Part]

  /// Reads a pattern.
  /// - Throws: ``QuantityParseError`` for one that is empty, or too long to be one.
  public init(_ text: String) throws(QuantityParseError) {
    guard text.utf8.count <= PathPattern.longest else { throw QuantityParseError("the pattern is too long") }
    let pieces = text.unicodeScalars.split(separator: "/")
    guard !pieces.isEmpty else {
      throw QuantityParseError("\(quoted(text)) names nothing: write a pattern such as *.iso")
    }
    var parts: [Part] = pieces.map { $0.elementsEqual("**".unicodeScalars) ? .any : .name(Wildcard(String($0))) }
    // Several in a row are as good as one.
    for index in parts.indices.dropFirst().reversed() where parts[index] == .any && parts[index - 1] == .any {
      parts.remove(at: index)
    }
    let isFromStart = text.unicodeScalars.dropLast().contains("/")
    if !isFromStart, parts.first != .any { parts.insert(.any, at: 0) }
    // A directory is for all that is below it, so a slash or `**` at the end says nothing more.
    if parts.count > 1, parts.last == .any { parts.removeLast() }
    self.parts = parts
  }

  /// Whether it is for this path, or for a directory that it is below. Takes time in proportion to both lengths.
  /// - Parameter components: the parts of the path from the start.
  public func matches(_ components: some Collection<String>) -> Bool {
    var places = first
    for component in components {
      places = next(places, component)
      if places.contains(parts.count) { return true }
    }
    return false
  }

  /// Whether anything below this directory may match.
  public func mayMatchBelow(_ directory: some Collection<String>) -> Bool {
    var places = first
    for component in directory {
      places = next(places, component)
      if places.contains(parts.count) { return true }
      if places.isEmpty { return false }
    }
    return true
  }

  /// The parts that may be next, before the first component.
  private var first: Set<Int> { closed([0]) }

  /// The parts that may be next after a component.
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

  /// With those that follow where `**` is for nothing.
  private func closed(_ places: Set<Int>) -> Set<Int> {
    var closed = places
    for place in places where place < parts.count && parts[place] == .any { closed.insert(place + 1) }
    return closed
  }
}
