// Takes the terminal for a full-screen program, and restores it in any event.

internal import Glibc

/// A terminal in raw mode: keys arrive at once and are not echoed. It shows the alternate screen.
///
/// Only one terminal is taken at a time. Signals of the keyboard (Ctrl-C, Ctrl-Z) stay signals.
public final class RawTerminal: Sendable {
  private let input: Int32
  private let output: Int32

  /// Creates a terminal that reads keys from `input` and writes frames to `output`.
  public init(input: Int32, output: Int32) {
    (self.input, self.output) = (input, output)
  }

  deinit { leave() }

  /// Takes the terminal. A later call undoes changes by other programs.
  /// - Returns: Whether `input` is a terminal.
  @discardableResult
  public func enter() -> Bool {
    var raw = termios()
    guard tcgetattr(input, &raw) == 0 else { return false }
    if !Taken.isTaken.pointee {
      Taken.before.pointee = raw
      (Taken.input.pointee, Taken.output.pointee) = (input, output)
      Taken.isTaken.pointee = true
      Taken.watchForCrashes()
    }
    raw = Taken.before.pointee
    // Output processing stays on, so that messages of other code end with a whole line.
    raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    tcsetattr(input, TCSANOW, &raw)
    Taken.write(Taken.entering)
    return true
  }

  public func leave() { RawTerminal.restore() }

  /// Restores the terminal from anywhere; does nothing if none is taken. Async-signal-safe.
  public static func restore() {
    guard Taken.isTaken.pointee else { return }
    Taken.isTaken.pointee = false
    Taken.write(Taken.leaving)
    tcsetattr(Taken.input.pointee, TCSANOW, Taken.before)
  }

  /// Returns typed bytes; at least one. Blocks.
  /// - Returns: `nil` once the terminal is gone.
  public func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = systemRead(input, &buffer, buffer.count)
      if count > 0 { return Array(buffer.prefix(count)) }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}

/// The state to restore. The pointers are never freed, because a signal handler may read them at any time. A debug
/// build would check accesses to variables for exclusivity, which a handler must not do.
private enum Taken {
  nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) static let isTaken = made(false)
  nonisolated(unsafe) static let input = made(Int32(0))
  nonisolated(unsafe) static let output = made(Int32(2))

  /// Selects the alternate screen, hides the cursor, and enables bracketed paste and SGR reports of mouse buttons and
  /// wheel.
  static let entering: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h\u{1B}[2J"
  static let leaving: StaticString =
    "\u{1B}[?2026l\u{1B}[?7h\u{1B}[m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

  private static func made<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  static func write(_ text: StaticString) {
    var start = text.utf8Start
    var left = text.utf8CodeUnitCount
    while left > 0 {
      // A stopped terminal must not keep the program from ending. If it has room, it takes these few bytes.
      guard canTake(output.pointee, 200) else { return }
      let written = systemWrite(output.pointee, start, left)
      guard written > 0 else { return }
      start += written
      left -= written
    }
  }

  /// Restores the terminal on a crash, before the crash takes its usual course.
  static func watchForCrashes() {
    // Initialise these here, so that no handler does.
    _ = (before, input, output, leaving)
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] {
      _ = signal(number) { number in
        RawTerminal.restore()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}

/// Call `read(2)` and `write(2)` under names that methods do not hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
