// The part of dray-get(1) about options of other programs, made of their table.

enum ManualHabits {
  static let text: String = {
    var text = """
      Short options take joined values (`-x16`, `-ofile`), flags can be combined (`-qv`), and a long option can be shortened as \
      long as it is unambiguous (`--max-conc 3`). A URL without a scheme gets https; `localhost` and addresses get http.

      Commands that make requests (`get`, `add`, `info`, …) also read options of curl, wget and aria2. Their own options come \
      first.

      """
    for habit in Habit.all {
      text += "\n= " + habit.names.map { "`\($0)`" }.joined(separator: ", ") + "\n" + note(habit) + "\n"
    }
    return text
  }()

  /// What it comes to, as a sentence.
  static func note(_ habit: Habit) -> String {
    switch habit.meaning {
    case .usual, .decided: habit.note.hasPrefix("--") ? "The same as `\(habit.note)`." : habit.note.sentence
    case .words: "The same as `\(habit.note)`."
    case .refused(let advice): "Refused: \(advice)."
    }
  }
}
