// Writes to a terminal, a pipe or a file without ever blocking for longer than the caller allows.

internal import Posix
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
    if case .own(let own) = state.channel { System.close(own) }
    state.channel = nil
  }

  private func send(_ state: inout State, patience: Int32) {
    let channel = state.channel ?? open()
    state.channel = channel
    var start = 0
    // The clock is read only for a reader that is slow.
    var end: Int64?
    while start < state.kept.count, state.code == nil {
      do throws(SystemError) {
        start += try state.kept.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
          try send(UnsafeRawBufferPointer(rebasing: bytes[start...]), over: channel)
        }
      } catch {
        guard error.code == SystemError.tryAgain else {
          state.code = error.code
          break
        }
        let now = Int64(System.now * 1000)
        let limit = end ?? now + Int64(patience)
        end = limit
        guard patience < 0 || now < limit else { break }
        var waits = descriptor
        if case .own(let own) = channel { waits = own }
        _ = System.hasRoom(waits, within: patience < 0 ? -1 : Int32(limit - now))
      }
    }
    if state.code != nil { start = state.kept.count }
    state.kept.removeFirst(start)
  }

  /// Sends some bytes without waiting.
  private func send(_ bytes: UnsafeRawBufferPointer, over channel: Channel) throws(SystemError) -> Int {
    switch channel {
    case .own(let own): return try System.writeSome(bytes, to: own)
    case .socket: return try System.sendSome(bytes, to: descriptor)
    case .file: return try System.writeSome(bytes, to: descriptor)
    case .pieces(let size):
      guard System.hasRoom(descriptor, within: 0) else { throw SystemError("write", SystemError.tryAgain) }
      return try System.writeSome(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), to: descriptor)
    }
  }

  private func open() -> Channel {
    guard let status = try? System.status(descriptor) else { return .file }
    if status.isSocket { return .socket }
    let isTerminal = System.isTerminal(descriptor)
    guard status.isPipe || isTerminal else { return .file }
    let flags: OpenFlags = [.writing, .nonBlocking, .noTerminal]
    if let own = try? System.reopen(descriptor, flags) { return .own(own) }
    // A terminal of another user, as after `su`, cannot be opened by its name.
    if isTerminal, System.isOwnTerminal(descriptor), let own = try? System.open("/dev/tty", flags) { return .own(own) }
    // A pipe with room takes PIPE_BUF bytes at once, a terminal fewer.
    return .pieces(isTerminal ? 256 : 4096)
  }
}
