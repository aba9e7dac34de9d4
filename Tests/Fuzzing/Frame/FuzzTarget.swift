// A fuzz target: one parser or decision, the parts of its input, and the invariants for every input. The gate's
// property tests, the libFuzzer program and the seeded generator all work on the same list (`FuzzTarget.all`).

/// A broken promise.
struct Violation: Error, CustomStringConvertible {
  /// The promise, and the actual result.
  let description: String
  init(_ description: String) { self.description = description }
}

/// Demands that something holds.
func hold(_ condition: Bool, _ promise: @autoclosure () -> String) throws(Violation) {
  guard condition else { throw Violation(promise()) }
}

/// A parser or decision with its promises.
struct FuzzTarget: Sendable, CustomStringConvertible {
  /// Its name, for people and for `FUZZ=`.
  let name: String
  /// The pieces of its input: libFuzzer's dictionary, the generator's grammar.
  let words: [String]
  /// Good samples.
  let seeds: [[UInt8]]
  /// The number of inputs in the gate; expensive targets get fewer.
  let rounds: Int
  /// Whether the cost may grow with the square of the input, because the input is bounded or the user's own.
  let isBounded: Bool
  /// Checks one input; a trap or a hang is a violation, too.
  let check: @Sendable ([UInt8]) throws(Violation) -> Void

  /// A target that takes bytes.
  init(
    _ name: String, words: [String] = [], seeds: [[UInt8]], rounds: Int = 400, isBounded: Bool = false,
    bytes check: @escaping @Sendable ([UInt8]) throws(Violation) -> Void
  ) {
    self.name = name
    self.words = words
    self.seeds = seeds
    self.rounds = rounds
    self.isBounded = isBounded
    self.check = check
  }

  /// A target that takes text: the bytes decoded like a head's, as UTF-8 or else as Latin-1.
  init(
    _ name: String, words: [String] = [], seeds: [String], rounds: Int = 400, isBounded: Bool = false,
    check: @escaping @Sendable (String) throws(Violation) -> Void
  ) {
    self.init(name, words: words, seeds: seeds.map { Array($0.utf8) }, rounds: rounds, isBounded: isBounded) {
      (bytes: [UInt8]) throws(Violation) in
      try check(
        String(validating: bytes, as: UTF8.self)
          ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
    }
  }

  /// A target whose input is a row of choices.
  init(
    _ name: String, rounds: Int = 1000, choices check: @escaping @Sendable (inout Choices) throws(Violation) -> Void
  ) {
    self.init(name, seeds: [[], Array(0...255), Array((0...255).reversed())], rounds: rounds, isBounded: true) {
      (bytes: [UInt8]) throws(Violation) in
      var choices = Choices(bytes)
      try check(&choices)
    }
  }

  /// The name.
  var description: String { name }
}
