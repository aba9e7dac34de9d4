// Standard output, for results only. It is buffered, and its errors never stop a download.

internal import DrayKit
internal import Posix
import Synchronization

/// A buffered stream of results. After a write error it discards everything.
final class ResultOutput: Sendable {
  static let standard = ResultOutput(descriptor: 1)

  private struct State {
    var buffer: [UInt8] = []
    var error: SystemError?
    var isBroken: Bool { error != nil }
  }

  let descriptor: Int32
  private let state = Mutex(State())
  private static let chunk = 64 << 10

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether a write failed.
  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// The write error; `nil` also if the reader has closed the pipe, as `head` does.
  var failure: Failure? {
    guard let error = state.withLock({ $0.error }), error.code != SystemError.brokenPipe else { return nil }
    return Failure(
      .other, "standard output", "the results could not be written: \(error.text)",
      advice: "the request itself is done; `dray list` shows it")
  }

  /// Adds a text. The buffer is written once it is full, or by ``flush()``.
  func write(_ text: String) { write(text.utf8) }

  /// Adds JSON.
  func write(_ json: JSONText) { write(json.bytes) }

  private func write(_ bytes: some Sequence<UInt8>) {
    state.withLock { state in
      guard !state.isBroken else { return }
      state.buffer.append(contentsOf: bytes)
      if state.buffer.count >= ResultOutput.chunk { flush(&state) }
    }
  }

  /// Writes the rest of the buffer.
  func flush() { state.withLock { flush(&$0) } }

  private func flush(_ state: inout State) {
    guard !state.buffer.isEmpty, !state.isBroken else { return }
    do throws(SystemError) { try System.write(state.buffer, to: descriptor) } catch { state.error = error }
    state.buffer.removeAll(keepingCapacity: true)
  }
}
