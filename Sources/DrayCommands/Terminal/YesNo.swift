// Asks a question on the terminal that is answered with yes or no.

internal import DrayKit
internal import Posix

enum YesNo {
  /// Asks on the controlling terminal, whatever the standard streams are connected to. Without a terminal, the answer
  /// is no.
  static func ask(_ question: String) -> Bool {
    guard let terminal = try? System.open("/dev/tty", .both) else { return false }
    defer { System.close(terminal) }
    try? System.write((question + " (y/n) ").utf8, to: terminal)
    var answer: [UInt8] = []
    while let byte = (try? System.readSome(terminal, limit: 1))?.first, byte != 0x0A { answer.append(byte) }
    return isYes(String(decoding: answer, as: UTF8.self))
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.trimmingSpaces().lowercased()) }
}
