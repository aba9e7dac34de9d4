// Takes the terminal for a full-screen program, and restores it in any event.

internal import Posix

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
    guard let mode = TerminalMode(of: input) else { return false }
    if !Taken.isTaken.pointee {
      Taken.before.initialize(to: mode)
      (Taken.input.pointee, Taken.output.pointee) = (input, output)
      Taken.isTaken.pointee = true
      Taken.watchForCrashes()
    }
    Taken.before.pointee.withKeys.apply(to: input)
    Taken.write(Taken.entering)
    return true
  }

  public func leave() { RawTerminal.restore() }

  /// Restores the terminal from anywhere; does nothing if none is taken. Async-signal-safe.
  public static func restore() {
    guard Taken.isTaken.pointee else { return }
    Taken.isTaken.pointee = false
    Taken.write(Taken.leaving)
    Taken.before.pointee.apply(to: Taken.input.pointee)
  }

  /// Returns typed bytes; at least one. Blocks.
  /// - Returns: `nil` once the terminal is gone.
  public func read() -> [UInt8]? {
    guard let bytes = try? System.readSome(input, limit: 4096), !bytes.isEmpty else { return nil }
    return bytes
  }
}

/// The state to restore. The pointers are never freed, because a signal handler may read them at any time. A debug
/// build would check accesses to variables for exclusivity, which a handler must not do.
private enum Taken {
  nonisolated(unsafe) static let before = UnsafeMutablePointer<TerminalMode>.allocate(capacity: 1)
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
    var rest = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    while !rest.isEmpty {
      // A terminal that stands still must not keep the program from ending. With room it takes these few bytes.
      guard System.hasRoom(output.pointee, within: 200),
        let written = try? System.writeSome(rest, to: output.pointee), written > 0
      else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Restores the terminal on a crash, before the crash takes its usual course.
  static func watchForCrashes() {
    // Initialise these here, so that no handler does.
    _ = (before, input, output, leaving)
    System.beforeCrash { RawTerminal.restore() }
  }
}
