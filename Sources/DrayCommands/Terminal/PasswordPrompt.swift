// Asks for a password on the terminal, and does not show what the user types.

internal import Posix

enum PasswordPrompt {
  /// Asks on the controlling terminal, whatever the standard streams are connected to. Returns `nil` if there is no
  /// terminal. If the user presses Ctrl-C, the program ends with status 130.
  @Sendable static func ask(_ prompt: String) -> String? {
    guard let terminal = try? System.open("/dev/tty", .both) else { return nil }
    defer { System.close(terminal) }
    guard let before = TerminalMode(of: terminal) else { return nil }
    // In this mode Ctrl-C arrives as a byte, so the program cannot end before the terminal shows typed text again.
    before.silent.apply(to: terminal, dropsTyped: true)
    try? System.write(prompt.utf8, to: terminal)
    let bytes = line(terminal)
    before.apply(to: terminal, dropsTyped: true)
    try? System.write("\n".utf8, to: terminal)
    guard let bytes else { System.exitAtOnce(130) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a line and handles the editing keys; returns `nil` after Ctrl-C.
  private static func line(_ terminal: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let byte = (try? System.readSome(terminal, limit: 1))?.first {
      switch byte {
      case 0x0A, 0x0D, 0x04: return bytes
      case 0x03: return nil
      case 0x15: bytes.removeAll()
      case 0x08, 0x7F:
        // A character may consist of several bytes.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
