/// A key press or a mouse event.
public enum Key: Sendable, Hashable {
  case character(Character)
  case enter, escape, backspace, delete, tab
  case up, down, left, right, pageUp, pageDown, home, end
  /// A lowercase letter with Ctrl.
  case control(Character)
  /// A pasted text, as a whole (bracketed paste).
  case paste(String)
  case wheelUp, wheelDown
  /// A click of the left button in a cell, counted from 0.
  case click(column: Int, row: Int)
}
