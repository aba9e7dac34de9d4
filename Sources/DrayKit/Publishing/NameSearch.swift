// Searches for a name that is free at a destination. Each search ends, whatever the server answers.

internal import DrayEngine

struct NameSearch: Sendable {
  let specification: JobSpecification
  let destination: any Destination
  /// Returns whether to give up the search. Only asked on a server, because a directory answers at once.
  let isOver: @Sendable () -> Bool

  /// The number of names to try. A directory may really contain very many files with numbers of one name, but a server
  /// that claims to have every name must not be asked forever.
  static func limit(in destination: any Destination) -> Int { destination.traits.asksServer ? 1000 : 1_000_000 }

  /// Returns the name with a number; 0 stands for the name itself.
  static func name(_ name: String, _ number: Int) -> String {
    number == 0 ? name : FileName.numbered(name, number)
  }

  /// Returns the first number from `first` on whose name is free; `nil` if the search was given up.
  /// - Throws: Kind `file` if too many names are taken.
  func number(for name: String, from first: Int = 0) async throws(Failure) -> Int? {
    let limit = NameSearch.limit(in: destination)
    var number = first
    while number < limit {
      if destination.traits.asksServer, isOver() { return nil }
      let candidate = NameSearch.name(name, number)
      try await destination.prefetch(candidate)
      guard try Conflict.isTaken(candidate, for: specification, in: destination) else { return number }
      number += 1
    }
    throw Failure(
      .file, PathText.join(destination.path, name), "this name and \(limit - 1) numbered ones are taken",
      advice: "choose another name with \(.output)")
  }

  /// Returns the names before the first free name; `nil` if the search was given up.
  /// - Throws: Kind `file` if too many names are taken.
  func taken(before name: String) async throws(Failure) -> Set<String>? {
    guard let number = try await number(for: name) else { return nil }
    return Set((0..<number).map { NameSearch.name(name, $0) })
  }
}
