// What users of curl, wget and aria2 type by habit, and what it comes to here. The table is in Habit+Table.swift.

internal import DrayKit

/// An option of another program.
struct Habit: Sendable {
  /// Whether it is followed by a value.
  enum Value: Sendable {
    case none
    case required
    /// Only after `=`.
    case optional
  }

  /// What it comes to.
  enum Meaning: Sendable {
    /// What dray does anyway, or what makes no difference to it.
    case usual
    /// These words instead; `%` is the value.
    case words([String])
    /// What a value comes to; `nil` where it cannot be used.
    case decided(@Sendable (String) -> [String]?)
    /// It is refused, with dray's word for it.
    case refused(String)
  }

  /// Its names, with dashes.
  let names: [String]
  let value: Value
  let meaning: Meaning
  /// What the manual page says of it: dray's option, or a few words.
  let note: String

  init(_ names: String, _ value: Value, _ meaning: Meaning, _ note: String) {
    self.names = names.split(separator: " ").map(String.init)
    (self.value, self.meaning, self.note) = (value, meaning, note)
  }

  private static let byName = Dictionary(all.flatMap { habit in habit.names.map { ($0, habit) } }) { first, _ in first }

  /// The habit of this name, with its dashes.
  static func named(_ name: String) -> Habit? { byName[name] }

  /// Whether dray does not have it.
  var isRefused: Bool { if case .refused = meaning { true } else { false } }

  /// What it comes to with a value: words of dray's own.
  /// - Parameter name: what to call it in an error.
  /// - Throws: kind `usage` where it is refused, or its value has no meaning.
  func words(for value: String, _ name: String) throws(Failure) -> [String] {
    switch meaning {
    case .usual: return []
    case .refused(let advice): throw OptionValue.bad(name, "dray does not have this option", advice: Advice(advice))
    case .words(let words): return words.map { $0.replacing("%", with: value) }
    case .decided(let decide):
      if let words = decide(value) { return words }
      throw OptionValue.bad(name, "\(OptionValue.quote(value)) has no meaning here", advice: "omit it")
    }
  }
}
