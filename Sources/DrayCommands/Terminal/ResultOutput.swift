// Standard output, which is only for results. It is buffered, and an error in writing never stops a download.

internal import DrayKit
internal import Posix
internal import Synchronization
internal import TerminalUI

/// A buffered stream of results. After an error in writing, it discards everything.
///
/// If the reader stops reading, that never delays a run: the results wait in memory until the run ends.
final class ResultOutput: Sendable {
  static let standard = ResultOutput(descriptor: 1)

  private struct State {
    var buffer: [UInt8] = []
    var error: SystemError?
    var isBroken: Bool { error != nil }
  }

  let descriptor: Int32
  private let output: SteadyOutput
  private let state = Mutex(State())
  private static let chunk = 64 << 10
  /// The maximum number of bytes of results that wait for the reader.
  private static let most = 64 << 20

  init(descriptor: Int32) {
    self.descriptor = descriptor
    output = SteadyOutput(descriptor: descriptor, limit: ResultOutput.most)
  }

  /// The number of columns in the window; `nil` if the output is not a terminal.
  var columns: Int? { TerminalDevice.isTTY(descriptor) ? TerminalDevice.size(descriptor).columns : nil }

  var isBroken: Bool { state.withLock { $0.isBroken } }
  /// Whether there are flushed bytes that the reader has not taken yet.
  var isBehind: Bool { output.isBehind }

  /// The error in writing; also `nil` if the reader has closed the pipe, as `head` does.
  var failure: Failure? {
    guard let error = state.withLock({ $0.error }), error.code != SystemError.brokenPipe else { return nil }
    return Failure(
      .other, "standard output", "the results could not be written: \(error.text)",
      advice: "the request itself is done; `dray list` shows it")
  }

  /// Adds a text to the results. The buffer is written when it is full, or when ``flush()`` is called.
  func write(_ text: String) { write(text.utf8) }

  func write(_ json: JSONText) { write(json.bytes) }

  private func write(_ bytes: some Sequence<UInt8>) {
    state.withLock { state in
      guard !state.isBroken else { return }
      state.buffer.append(contentsOf: bytes)
      if state.buffer.count >= ResultOutput.chunk { flush(&state) }
    }
  }

  func flush() { state.withLock { flush(&$0) } }

  private func flush(_ state: inout State) {
    guard !state.isBroken, !state.buffer.isEmpty || output.isBehind else { return }
    let patience = LiveOutput.patience
    // This also waits for results that a run has left in memory.
    if patience != 0 { output.drain(patience: patience) }
    if !output.write(state.buffer, patience: patience) { state.error = SystemError("write", SystemError.noRoom) }
    if let code = output.errorCode { state.error = SystemError("write", code) }
    state.buffer.removeAll(keepingCapacity: true)
  }
}
