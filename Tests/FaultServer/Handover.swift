// Hands a value that cannot be copied from one thread to another.

import Synchronization

/// Holds a value, such as a connection, until its thread takes it.
final class Handover<Value: ~Copyable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: consuming sending Value) {
    self.value = Mutex(value)
  }

  /// The value, the first time.
  func take() -> Value? {
    value.withLock { $0.take() }
  }
}
