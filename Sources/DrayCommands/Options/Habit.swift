// The options that users of curl, wget and aria2 type by habit, and their translations. The table is in
// Habit+Table.swift.

internal import DrayKit
internal import DrayStore

/// An option of another program.
struct Habit: Sendable {
  /// Whether the option takes a value.
  enum Value: Sendable {
    case none
    case required
    /// Only after `=`.
    case optional
  }

  /// The translation of an option.
  enum Meaning: Sendable {
    /// dray behaves so anyway, or the option makes no difference.
    case usual
    /// Replacement words; `%` is the value.
    case words([String])
    /// Words that depend on the value; `nil` for an unusable value.
    case decided(@Sendable (String) -> [String]?)
    /// The option is refused with this advice.
    case refused(String)
  }

  /// The names, with dashes.
  let names: [String]
  let value: Value
  let meaning: Meaning
  /// The note in the manual: dray's option, or a few words.
  let note: String

  init(_ names: String, _ value: Value, _ meaning: Meaning, _ note: String) {
    self.names = names.split(separator: " ").map(String.init)
    (self.value, self.meaning, self.note) = (value, meaning, note)
  }

  private static let byName = Dictionary(all.flatMap { habit in habit.names.map { ($0, habit) } }) { first, _ in first }

  static func named(_ name: String) -> Habit? { byName[name] }

  var isRefused: Bool { if case .refused = meaning { true } else { false } }

  /// Translates the option and its value into dray's words.
  /// - Parameter name: The option's name for errors.
  /// - Throws: Kind `usage` if the option is refused or its value has no meaning.
  func words(for value: String, _ name: String) throws(Failure) -> [String] {
    switch meaning {
    case .usual: return []
    case .refused(let advice):
      let place = TextSafety.escaped((try? Store.user().home.path) ?? "the job store")
      throw OptionValue.bad(
        name, "dray does not have this option", advice: Advice(advice.replacing("%", with: place)))
    case .words(let words): return words.map { $0.replacing("%", with: value) }
    case .decided(let decide):
      if let words = decide(value) { return words }
      throw OptionValue.bad(name, "\(OptionValue.quote(value)) has no meaning here", advice: "omit it")
    }
  }
}
