// What aria2's options mean for dray's jobs, in both directions: from values to a specification, and from a
// specification to values.

internal import DrayCore

struct OptionMeaning: Sendable {
  /// The values of options by name, each in its form.
  typealias Values = [String: String]

  let names: [String]
  /// The options that may have a value only if the configuration grants that by name.
  var guarded: [String] = []
  var needs: Aria2Grants = []
  let apply: @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void
  /// Returns the values that describe a specification, without secrets (P7).
  let read: @Sendable (JobSpecification) -> Values

  init(
    _ names: String...,
    apply: @escaping @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void,
    read: @escaping @Sendable (JobSpecification) -> Values
  ) {
    (self.names, self.apply, self.read) = (names, apply, read)
  }

  init(
    _ names: [String], guarded: [String], needs: Aria2Grants,
    _ apply: @escaping @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void,
    read: @escaping @Sendable (JobSpecification) -> Values
  ) {
    (self.names, self.guarded, self.needs, self.apply, self.read) = (names, guarded, needs, apply, read)
  }

  /// Applies the values of options to a specification.
  /// - Parameters:
  ///   - changed: The names of the options to apply. The values of the other options serve only to complete these.
  ///   - grants: What the configuration permits to clients by name.
  /// - Throws: ``RPCFailure`` for a value that is not permitted or that dray cannot use.
  static func apply(
    _ changed: Set<String>, of values: Values, to specification: inout JobSpecification, _ grants: Aria2Grants
  ) throws(RPCFailure) {
    // This comes first because most jobs have no options.
    guard !changed.isDisjoint(with: names) else { return }
    for meaning in all {
      guard let name = meaning.names.first(where: changed.contains) else { continue }
      let isEmpty = meaning.guarded.allSatisfy { values[$0, default: ""].isEmpty }
      guard isEmpty || meaning.needs.isSubset(of: grants) else {
        throw .refused("The option '--\(name)' is not permitted here: the service's configuration has to allow it.")
      }
      try meaning.apply(values, &specification)
    }
  }

  /// Returns the values that describe a job: the client's own texts as long as they still describe it.
  static func values(of specification: JobSpecification, said: Values = [:]) -> Values {
    all.reduce(into: [:]) { values, meaning in
      values.merge(meaning.read(specification)) { _, last in last }
      let words = said.filter { meaning.names.contains($0.key) }
      var same = specification
      guard !words.isEmpty, (try? meaning.apply(words, &same)) != nil else { return }
      // How far links are trusted is decided by the service and does not come from the client's values.
      same.foreignDepth = specification.foreignDepth
      guard same == specification else { return }
      values.merge(words) { _, last in last }
    }
  }

  static let names = Set(all.flatMap(\.names))

  private static let all: [OptionMeaning] = place + connections + request + access + retries
}
