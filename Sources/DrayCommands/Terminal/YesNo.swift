// Asks a question on the terminal.

internal import DrayKit
internal import Glibc
internal import Posix

enum YesNo {
  /// Asks on the controlling terminal, regardless of the standard streams. Without a terminal the answer is no.
  static func ask(_ question: String) -> Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    try? System.write((question + " (y/n) ").utf8, to: terminal)
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1, byte != 0x0A { answer.append(byte) }
    return isYes(String(decoding: answer, as: UTF8.self))
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.trimmingSpaces().lowercased()) }
}
