/// The control codes of the live display.
enum Code {
  static let newLine = "\r\n"
  static let clearLineEnd = "\u{1B}[K"
  /// Clears the row and all below it. At the top of the window, a plain `ESC [ J` makes tmux first push the whole
  /// screen into its history, so it is sent one row further down.
  static let clearBelow = "\u{1B}[K\r\n\u{1B}[J\u{1B}[A"
  static let wrapOff = "\u{1B}[?7l"
  static let wrapOn = "\u{1B}[?7h"
  static let hideCursor = "\u{1B}[?25l"
  static let showCursor = "\u{1B}[?25h"
  /// Synchronized output: a terminal that supports it shows the frame at once; others ignore an unknown private mode.
  static let beginFrame = "\u{1B}[?2026h"
  static let endFrame = "\u{1B}[?2026l"
}
