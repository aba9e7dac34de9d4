// The hints about keys at the bottom of the screen, which the user can also click.

internal import TerminalUI

/// A key, and a word for what it does.
struct WatchHint: Equatable {
  var text: String
  /// The key that a click on the hint presses.
  var key: Key

  init(_ text: String, _ key: Key) { (self.text, self.key) = (text, key) }
  init(_ text: String, _ character: Character) { self.init(text, .character(character)) }
}

enum WatchHints {
  private static let separator = "  "

  /// Returns the hints that fit into the width of a window.
  /// - Parameter canUndo: Whether there is a step that can be undone.
  static func shown(_ place: WatchState.Place, canUndo: Bool, columns: Int) -> [WatchHint] {
    var hints = all(place, canUndo: canUndo)
    // If space is short, hints in the middle are left out first. The last two are more important.
    while hints.count > 1, DisplayWidth.of(text(hints)) > columns { hints.remove(at: max(0, hints.count - 3)) }
    return hints
  }

  static func text(_ hints: [WatchHint]) -> String { hints.map(\.text).joined(separator: separator) }

  /// Returns the key of the hint in a column, counted from 0; `nil` if the column lies between two hints.
  static func key(at column: Int, in hints: [WatchHint]) -> Key? {
    var start = 0
    for hint in hints {
      let end = start + DisplayWidth.of(hint.text)
      if (start..<end).contains(column) { return hint.key }
      start = end + separator.utf8.count
    }
    return nil
  }

  private static func all(_ place: WatchState.Place, canUndo: Bool) -> [WatchHint] {
    let undo = canUndo ? [WatchHint("u undo", "u")] : []
    switch place {
    case .list:
      return [
        WatchHint("space pause", " "), WatchHint("enter details", .enter), WatchHint("a add", "a"),
        WatchHint("r retry", "r"), WatchHint("x remove", "x"),
      ] + undo + [WatchHint("/ filter", "/"), WatchHint("? help", "?"), WatchHint("q quit", "q")]
    case .help: return [WatchHint("esc back", .escape)]
    case .details:
      return [
        WatchHint("esc back", .escape), WatchHint("space pause", " "), WatchHint("r retry", "r"),
        WatchHint("x remove", "x"),
      ] + undo + [WatchHint("L limit", "L"), WatchHint("j/k scroll", "j")]
    }
  }
}
