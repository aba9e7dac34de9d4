// The system's information on the terminal behind a descriptor.

internal import Glibc

/// Queries of the terminal driver. They do not block and do not fail: without a terminal there is a default.
public enum TerminalDevice {
  public static func isTTY(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Returns the columns and rows of the window; 80 and 24 if the driver does not know.
  public static func size(_ descriptor: Int32) -> (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  /// Whether this process may draw. A background process would paint over its shell.
  public static func isForeground(_ descriptor: Int32) -> Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }
}
