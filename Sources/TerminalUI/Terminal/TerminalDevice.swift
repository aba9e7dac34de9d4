// The system's information on the terminal behind a descriptor.

internal import Posix

/// Queries of the terminal driver. They do not block and do not fail: without a terminal there is a default.
public enum TerminalDevice {
  public static func isTTY(_ descriptor: Int32) -> Bool {
    System.isTerminal(descriptor)
  }

  /// Returns the columns and rows of the window; 80 and 24 if the driver does not know.
  public static func size(_ descriptor: Int32) -> (columns: Int, rows: Int) {
    System.windowSize(descriptor) ?? (80, 24)
  }

  /// Whether this process may draw. A background process would paint over its shell.
  public static func isForeground(_ descriptor: Int32) -> Bool {
    System.isForeground(descriptor)
  }
}
