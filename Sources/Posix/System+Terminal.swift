// The terminal behind a descriptor.

internal import Glibc

/// The settings of a terminal (termios(3)).
public struct TerminalMode: Sendable {
  private var raw: termios

  /// Reads the settings of the terminal behind a descriptor; `nil` if that is none.
  public init?(of descriptor: Int32) {
    var raw = termios()
    guard tcgetattr(descriptor, &raw) == 0 else { return nil }
    self.raw = raw
  }

  /// Gives the terminal these settings. Async-signal-safe.
  /// - Parameter drops: Whether typed bytes that were not read yet are dropped.
  public func apply(to descriptor: Int32, dropsTyped drops: Bool = false) {
    var raw = raw
    tcsetattr(descriptor, drops ? TCSAFLUSH : TCSANOW, &raw)
  }

  /// These settings, with keys that arrive at once and are not echoed. Signals of the keyboard stay signals. Output
  /// processing stays on, so that messages of other code end with a whole line.
  public var withKeys: TerminalMode {
    var mode = self
    mode.raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP)
    mode.raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    return mode
  }

  /// These settings, with keys that arrive at once and are not echoed. Signals of the keyboard are bytes.
  public var silent: TerminalMode {
    var mode = self
    mode.raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    return mode
  }
}

extension System {
  /// Whether a descriptor leads to a terminal (isatty(3)).
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether a descriptor leads to the terminal of this process's session (tcgetsid(3)).
  public static func isOwnTerminal(_ descriptor: Int32) -> Bool { tcgetsid(descriptor) == getsid(0) }

  /// Returns the columns and rows of a terminal's window; `nil` if its driver does not know (TIOCGWINSZ).
  public static func windowSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return nil }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  /// Whether this process belongs to the group that the terminal listens to (tcgetpgrp(3)).
  public static func isForeground(_ terminal: Int32) -> Bool { tcgetpgrp(terminal) == getpgrp() }
}
