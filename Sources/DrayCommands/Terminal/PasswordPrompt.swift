// Asks for a password on the terminal without showing it.

internal import Glibc
internal import Posix

enum PasswordPrompt {
  /// Asks on the controlling terminal, regardless of the standard streams; `nil` without a terminal. Ctrl-C ends the
  /// program with status 130.
  @Sendable static func ask(_ prompt: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var silent = before
    // Without ISIG, Ctrl-C arrives as a byte, so the program cannot end while the terminal has no echo.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    try? System.write(prompt.utf8, to: terminal)
    let bytes = line(terminal)
    tcsetattr(terminal, TCSAFLUSH, &before)
    try? System.write("\n".utf8, to: terminal)
    guard let bytes else { System.exitAtOnce(130) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a line and handles the editing keys; `nil` after Ctrl-C.
  private static func line(_ terminal: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1 {
      switch byte {
      case 0x0A, 0x0D, 0x04: return bytes
      case 0x03: return nil
      case 0x15: bytes.removeAll()
      case 0x08, 0x7F:
        // A character may have several bytes.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
