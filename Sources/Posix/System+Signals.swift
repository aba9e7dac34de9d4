// Signals: their numbers, sending them, and a pipe that reports them.

internal import CLinux
internal import Glibc

/// The numbers of signals.
public enum Signal {
  /// `SIGINT`: Ctrl-C.
  public static let interrupt = SIGINT
  /// `SIGTERM`.
  public static let terminate = SIGTERM
  /// `SIGKILL`.
  public static let kill = SIGKILL
  /// `SIGHUP`: the terminal is gone.
  public static let hangUp = SIGHUP
  /// `SIGTSTP`: Ctrl-Z.
  public static let suspend = SIGTSTP
  /// `SIGCONT`: the process continues.
  public static let `continue` = SIGCONT
  /// `SIGWINCH`: the window of the terminal was resized.
  public static let resize = SIGWINCH
}

extension System {
  /// Whether there is no process with this number (`kill(2)`).
  public static func isGone(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

  /// Stops this process, as Ctrl-Z does. Returns once it continues.
  public static func stopSelf() { raise(SIGSTOP) }

  /// Whether a signal is ignored (`sigaction(2)`), as `nohup` or a shell may want.
  public static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    let handler = action.__sigaction_handler.sa_handler
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Calls a function if this process crashes or gets `SIGQUIT`, before the signal takes its usual course.
  /// - Parameter restore: It may call only functions that are allowed in a handler (POSIX.1-2017, 2.4.3).
  public static func beforeCrash(_ restore: @escaping @convention(c) () -> Void) {
    crashRestore.initialize(to: restore)
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] {
      _ = signal(number) { number in
        crashRestore.pointee()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}

/// The pipe to which a signal handler writes the signal's number.
///
/// libdispatch has sources for signals. On Linux it handles a signal on its own thread, some time after the source was
/// resumed. An earlier signal is lost if it is ignored, and ends the process otherwise. A handler, in contrast, is
/// effective immediately.
public enum SignalPipe {
  /// The handler of a signal before ``take(_:)``.
  public struct Handler: Sendable {
    fileprivate let raw: __sighandler_t?
  }

  /// The two ends. They are created once and never closed, because a handler may run on any thread.
  private static let ends: (reader: Int32, writer: Int32)? = {
    guard let ends = try? System.pipe() else { return nil }
    for end in [ends.reader, ends.writer] { System.stopBlocking(end) }
    return ends
  }()

  /// Returns the end for reading; `nil` if no pipe can be created.
  public static func open() -> Int32? {
    guard let ends else { return nil }
    signalPipeEnd.pointee = ends.writer
    return ends.reader
  }

  /// Returns the received signals in order.
  public static func arrived(on end: Int32) -> [Int32] {
    ((try? System.readSome(end, limit: 64)) ?? []).map(Int32.init)
  }

  /// Installs the handler, which writes the signal to the pipe.
  /// - Returns: The previous handler.
  public static func take(_ number: Int32) -> Handler {
    // Call only functions that are allowed in a handler (POSIX.1-2017, 2.4.3): write. Preserve errno.
    Handler(
      raw: signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipeEnd.pointee, &byte, 1)
        errno = error
      })
  }

  /// Restores the previous handler.
  public static func give(_ number: Int32, back handler: Handler) { _ = signal(number, handler.raw) }
}

/// The writing end of the pipe. It is set before the first handler is installed, and never freed. It is a pointer
/// because debug builds check each access to a variable for exclusivity, which is not allowed in a handler.
nonisolated(unsafe) private let signalPipeEnd = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

/// The function to call before a crash, likewise.
nonisolated(unsafe) private let crashRestore = UnsafeMutablePointer<@convention(c) () -> Void>.allocate(capacity: 1)
