// Writes to a terminal, a pipe or a file without ever blocking for longer than the caller allows.

internal import Glibc
internal import Synchronization

/// Writes to a descriptor that it does not own. A terminal that stands still (Ctrl-S), or a pipe that nobody reads,
/// delays the caller by its patience only.
///
/// Bytes that are not accepted are kept, and sent first the next time, so that no text ends inside an escape sequence.
/// A permanent error (`EPIPE`, `EBADF`, `EIO`) silences the output. The process must ignore `SIGPIPE`.
public final class SteadyOutput: Sendable {
  /// Standard error. All texts for people share it, so that none is written into a frame that is half sent.
  public static let standardError = SteadyOutput(descriptor: 2)

  /// How bytes are sent without blocking.
  private enum Channel {
    /// An open file description of our own with `O_NONBLOCK`. The inherited one must not get the flag: other processes
    /// share it.
    case own(Int32)
    case socket
    /// The inherited description, in pieces of this size whenever it has room.
    case pieces(Int)
    /// A file, which never blocks.
    case file
  }

  private struct State {
    var kept: [UInt8] = []
    var channel: Channel?
    var code: Int32?
  }

  private let descriptor: Int32
  /// The maximum number of kept bytes, not counting the last text.
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The number of kept bytes from which further texts are dropped.
  public init(descriptor: Int32, limit: Int = 256 << 10) { (self.descriptor, self.limit) = (descriptor, limit) }

  deinit { state.withLock { SteadyOutput.close(&$0) } }

  /// Returns the output for a descriptor: for standard error, the shared one.
  static func to(_ descriptor: Int32) -> SteadyOutput {
    descriptor == 2 ? standardError : SteadyOutput(descriptor: descriptor)
  }

  /// Whether bytes are kept, because the reader has not accepted them.
  public var isBehind: Bool { state.withLock { !$0.kept.isEmpty } }
  /// Whether the next text will be kept or sent, and not dropped.
  public var hasRoom: Bool { state.withLock { $0.kept.count < limit } }
  /// The number of the permanent error; `nil` if there is none.
  public var errorCode: Int32? { state.withLock { $0.code } }

  /// Writes a text after the kept bytes.
  /// - Parameter patience: The time to wait for the reader, in milliseconds; negative for no limit. An output that is
  ///   behind already is not waited for.
  /// - Returns: Whether the text was sent or kept.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, patience: Int32 = 20) -> Bool {
    state.withLock { state in
      guard state.code == nil else { return true }
      if !state.kept.isEmpty { send(&state, patience: 0) }
      let patience = state.kept.isEmpty ? patience : 0
      guard state.kept.count < limit else { return false }
      state.kept.append(contentsOf: bytes)
      send(&state, patience: patience)
      return true
    }
  }

  /// Writes the kept bytes.
  /// - Parameter patience: The time to wait, in milliseconds, each time the reader accepts nothing.
  public func drain(patience: Int32) {
    state.withLock { state in
      var before = state.kept.count + 1
      while !state.kept.isEmpty, state.kept.count < before {
        before = state.kept.count
        send(&state, patience: patience)
      }
    }
  }

  /// Sends the kept bytes and closes its own description, because the descriptor is about to lead elsewhere.
  public func release() {
    drain(patience: 500)
    state.withLock { SteadyOutput.close(&$0) }
  }

  private static func close(_ state: inout State) {
    if case .own(let own) = state.channel { systemClose(own) }
    state.channel = nil
  }

  private func send(_ state: inout State, patience: Int32) {
    let channel = state.channel ?? open()
    state.channel = channel
    var start = 0
    // The clock is read only for a reader that is slow.
    var end: Int64?
    while start < state.kept.count, state.code == nil {
      let sent = state.kept[start...].withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        switch channel {
        case .own(let own): return systemWrite(own, base, bytes.count)
        case .socket: return systemSend(descriptor, base, bytes.count)
        case .file: return systemWrite(descriptor, base, bytes.count)
        case .pieces(let size):
          guard canTake(descriptor, 0) else {
            errno = EAGAIN
            return -1
          }
          return systemWrite(descriptor, base, min(size, bytes.count))
        }
      }
      if sent >= 0 {
        start += sent
      } else if errno == EAGAIN {
        let now = milliseconds()
        let limit = end ?? now + Int64(patience)
        end = limit
        guard patience < 0 || now < limit else { break }
        var waits = descriptor
        if case .own(let own) = channel { waits = own }
        _ = canTake(waits, patience < 0 ? -1 : Int32(limit - now))
      } else if errno != EINTR {
        state.code = errno
      }
    }
    if state.code != nil { start = state.kept.count }
    state.kept.removeFirst(start)
  }

  private func open() -> Channel {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .file }
    let isTerminal = isatty(descriptor) == 1
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return .socket
    case S_IFIFO: break
    default: if !isTerminal { return .file }
    }
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    var own = systemOpen("/proc/self/fd/\(descriptor)", flags)
    // A terminal of another user, as after `su`, cannot be opened by its name.
    if own < 0, isTerminal, tcgetsid(descriptor) == getsid(0) { own = systemOpen("/dev/tty", flags) }
    if own >= 0 { return .own(own) }
    // A pipe with room takes PIPE_BUF bytes at once, a terminal fewer.
    return .pieces(isTerminal ? 256 : 4096)
  }
}

/// Waits until a descriptor takes bytes, or reports an error. Async-signal-safe.
func canTake(_ descriptor: Int32, _ patience: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&request, 1, patience) > 0
}

private func milliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

// Calls under names that the methods above do not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  send(descriptor, bytes, count, Int32(MSG_DONTWAIT))
}
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
