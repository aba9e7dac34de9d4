// A pseudo-terminal with a program: the visible screen, and typed keys.

import FaultServer
import Foundation
import Synchronization

/// The master side of a pseudo-terminal. A waiting test must call `screen` or `bytes` repeatedly: only these read the
/// program's output.
final class PseudoTerminal: Sendable {
  /// The path that the program opens.
  let path: String

  private struct State {
    var bytes: [UInt8] = []
    var width: Int
    var height = 24
  }

  /// `TIOCSPTLCK` and `TIOCGPTN`, which are not imported; nor is `posix_openpt`.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  private let master: Int32
  private let state: Mutex<State>

  /// A terminal of `width` columns and 24 lines.
  init(width: Int = 80) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: Int32 = 0
    guard master >= 0, ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0
    else { throw HarnessError("cannot make a pseudo-terminal") }
    path = "/dev/pts/\(number)"
    state = Mutex(State(width: width))
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    resize(width: width)
  }

  deinit { close(master) }

  /// Changes the size; the program gets SIGWINCH.
  func resize(width: Int, height: Int = 24) {
    var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    state.withLock { ($0.width, $0.height) = (width, height) }
  }

  /// Whether the terminal echoes and reads by lines, like a shell's.
  var isCooked: Bool {
    var settings = termios()
    return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
  }

  /// Types `text`.
  func type(_ text: String) {
    _ = text.withCString { write(master, $0, strlen($0)) }
  }

  /// The program's whole output so far.
  var bytes: [UInt8] {
    state.withLock { state in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return state.bytes }
        state.bytes += buffer.prefix(count)
      }
    }
  }

  /// The program's whole output so far, as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The screen's content, for a width that never changed.
  var screen: Screen {
    let text = text
    var screen = Screen(width: state.withLock { $0.width })
    screen.feed(text)
    return screen
  }
}

extension Sandbox {
  /// Starts `dray` with all streams on `terminal`, or only standard error if `output` leads elsewhere.
  func start(_ arguments: [String], on terminal: PseudoTerminal) throws -> RunningProgram {
    try start(arguments) { $0.terminal = terminal.path }
  }
}

extension RunningProgram {
  /// Waits for the program's end and reads `terminal` during the wait.
  func finish(on terminal: PseudoTerminal, seconds: Double = patience) async throws -> Exit {
    try await waitUntil("the end of the program: \(terminal.screen.text)", seconds: seconds) {
      _ = terminal.bytes
      return exit != nil
    }
    return exit ?? .signal(0)
  }
}
