// Standard output: results only, in large pieces, and never a reason to stop a download.

internal import DrayKit
internal import Posix
import Synchronization

/// A buffered stream of results. Once it cannot be written any more, it takes and forgets.
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

  /// Whether something could not be written.
  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// What there is to say of it: nothing where the reader has simply gone, as `head` does.
  var failure: Failure? {
    guard let error = state.withLock({ $0.error }), error.code != SystemError.brokenPipe else { return nil }
    return Failure(
      .other, "standard output", "the results could not be written: \(error.text)",
      advice: "the request itself is done; `dray list` shows it")
  }

  /// Adds a text; it is written once there is enough, or by ``flush()``.
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

  /// Writes what is still kept.
  func flush() { state.withLock { flush(&$0) } }

  private func flush(_ state: inout State) {
    guard !state.buffer.isEmpty, !state.isBroken else { return }
    do throws(SystemError) { try System.write(state.buffer, to: descriptor) } catch { state.error = error }
    state.buffer.removeAll(keepingCapacity: true)
  }
}
