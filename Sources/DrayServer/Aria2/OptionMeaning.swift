// What aria2's options mean for a job of dray, in both directions: from values to a specification, and back.

internal import DrayCore

/// Options that belong together, and what they mean.
struct OptionMeaning: Sendable {
  /// Values of options, each in the form of its option.
  typealias Values = [String: String]

  let names: [String]
  /// Those that may only have a value if the service permits that by name.
  var guarded: [String] = []
  /// What it must permit.
  var needs: Aria2Grants = []
  /// Makes a specification what the values say.
  let apply: @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void
  /// What a specification comes to in these options. Secrets are left out (P7).
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

  /// Makes a specification what values say.
  /// - Parameters:
  ///   - changed: the options that count; the values of the others complete them.
  ///   - grants: what the service permits.
  /// - Throws: an error for what is not permitted, or cannot be.
  static func apply(
    _ changed: Set<String>, of values: Values, to specification: inout JobSpecification, _ grants: Aria2Grants
  ) throws(RPCFailure) {
    // Most jobs come with none.
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

  /// What a job comes to in the options that mean something: as a client has said it, if that is still what the job does.
  static func values(of specification: JobSpecification, said: Values = [:]) -> Values {
    all.reduce(into: [:]) { values, meaning in
      values.merge(meaning.read(specification)) { _, last in last }
      let words = said.filter { meaning.names.contains($0.key) }
      var same = specification
      guard !words.isEmpty, (try? meaning.apply(words, &same)) != nil else { return }
      // Where links are not followed is the service's decision, not the client's words.
      same.foreignDepth = specification.foreignDepth
      guard same == specification else { return }
      values.merge(words) { _, last in last }
    }
  }

  /// The names of all options that mean something for a job.
  static let names = Set(all.flatMap(\.names))

  private static let all: [OptionMeaning] = place + connections + request + access + retries
}
