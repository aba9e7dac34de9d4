// The meaning of aria2's options for dray's jobs, in both directions: from values to a specification and back.

internal import DrayCore

struct OptionMeaning: Sendable {
  /// The values of options, each in its form.
  typealias Values = [String: String]

  let names: [String]
  /// The options that may have a value only if the service permits it by name.
  var guarded: [String] = []
  var needs: Aria2Grants = []
  let apply: @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void
  /// Returns the values for a specification, without secrets (P7).
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

  /// Applies values to a specification.
  /// - Parameters:
  ///   - changed: The options to apply. The values of the other options complete them.
  ///   - grants: The service's permissions.
  /// - Throws: ``RPCFailure`` for a value that is not permitted or not possible.
  static func apply(
    _ changed: Set<String>, of values: Values, to specification: inout JobSpecification, _ grants: Aria2Grants
  ) throws(RPCFailure) {
    // Most jobs have no options.
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

  /// Returns the values for a job: in the client's words if they still describe the job.
  static func values(of specification: JobSpecification, said: Values = [:]) -> Values {
    all.reduce(into: [:]) { values, meaning in
      values.merge(meaning.read(specification)) { _, last in last }
      let words = said.filter { meaning.names.contains($0.key) }
      var same = specification
      guard !words.isEmpty, (try? meaning.apply(words, &same)) != nil else { return }
      // The trust in links is the service's decision and not part of the client's words.
      same.foreignDepth = specification.foreignDepth
      guard same == specification else { return }
      values.merge(words) { _, last in last }
    }
  }

  static let names = Set(all.flatMap(\.names))

  private static let all: [OptionMeaning] = place + connections + request + access + retries
}
