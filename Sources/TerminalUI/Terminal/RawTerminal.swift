// The terminal as a full-screen program has it, and its way back to what it was, whatever happens.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A terminal whose keys come at once and unseen, with a screen of its own (the alternate one).
///
/// There is one at a time. Signals of the keyboard (Ctrl-C, Ctrl-Z) stay signals.
public final class RawTerminal: Sendable {
  private let input: Int32
  private let output: Int32

  /// The terminal that keys come from and frames go to.
  public init(input: Int32, output: Int32) {
    (self.input, self.output) = (input, output)
  }

  deinit { leave() }

  /// Takes the terminal. Called again, it puts right what others have changed meanwhile.
  /// - Returns: whether it is a terminal.
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
    // Output processing stays as it is: messages of other code still end in a whole line.
    raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    tcsetattr(input, TCSADRAIN, &raw)
    Taken.write(Taken.entering)
    return true
  }

  /// Gives the terminal back as it was.
  public func leave() { RawTerminal.restore() }

  /// The same from anywhere; nothing where no terminal is taken. Safe in a signal's handler.
  public static func restore() {
    guard Taken.isTaken.pointee else { return }
    Taken.isTaken.pointee = false
    Taken.write(Taken.leaving)
    tcsetattr(Taken.input.pointee, TCSADRAIN, Taken.before)
  }

  /// What is typed: whatever is there, some of it at least. Blocks.
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

/// What has to be undone. Pointers that are never freed: a handler may read them at any time, and a variable would be watched
/// for exclusive access by a debug build, which is more than a handler may do.
private enum Taken {
  nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) static let isTaken = made(false)
  nonisolated(unsafe) static let input = made(Int32(0))
  nonisolated(unsafe) static let output = made(Int32(2))

  /// Alternate screen, cursor hidden, bracketed paste, the mouse's buttons and wheel, each as SGR reports it.
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
      let written = systemWrite(output.pointee, start, left)
      guard written > 0 else { return }
      start += written
      left -= written
    }
  }

  /// A crash gives the terminal back first; then it is what it would have been.
  static func watchForCrashes() {
    // Initialised here, so that no handler does it.
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

/// `read(2)` and `write(2)` under names that methods do not hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
