// The options that users of curl, wget and aria2 are used to typing, and how dray translates them. Habit+Table.swift
// contains the table.

internal import DrayKit
internal import DrayStore

/// An option of another program.
struct Habit: Sendable {
  /// Whether the option takes a value.
  enum Value: Sendable {
    case none
    case required
    /// The option takes a value only after `=`.
    case optional
  }

  /// How dray translates an option.
  enum Meaning: Sendable {
    /// dray does that anyway, or the option makes no difference.
    case usual
    /// The option is replaced by these words; `%` in them is the value.
    case words([String])
    /// The option becomes words that depend on its value; `nil` means that the value cannot be used.
    case decided(@Sendable (String) -> [String]?)
    /// The option is refused with this advice.
    case refused(String)
  }

  /// The names of the option, with dashes.
  let names: [String]
  let value: Value
  let meaning: Meaning
  /// What the manual says about the option: an option of dray, or a few words.
  let note: String

  init(_ names: String, _ value: Value, _ meaning: Meaning, _ note: String) {
    self.names = names.split(separator: " ").map(String.init)
    (self.value, self.meaning, self.note) = (value, meaning, note)
  }

  private static let byName = Dictionary(all.flatMap { habit in habit.names.map { ($0, habit) } }) { first, _ in first }

  static func named(_ name: String) -> Habit? { byName[name] }

  var isRefused: Bool { if case .refused = meaning { true } else { false } }

  /// Translates the option and its value into words for dray.
  /// - Parameter name: How errors name the option.
  /// - Throws: Kind `usage` if the option is refused, or if its value cannot be translated.
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
