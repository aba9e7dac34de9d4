// Moves the work on long lists of jobs away from the server's thread, so that other clients need not wait.

/// Runs work on the entries of a list. Work on a short list runs where the caller runs; work on a long one runs on
/// another thread.
enum LongWork {
  /// The maximum number of entries that are handled on the server's thread. So many entries take less time than two
  /// changes of the thread.
  static let few = 200

  static func run<Value: Sendable>(_ entries: Int, _ body: @Sendable () -> Value) async -> Value {
    guard entries > few else { return body() }
    return await withTaskExecutorPreference(globalConcurrentExecutor) { await elsewhere(body) }
  }

  /// Runs `body` on the preferred executor. This is a function of its own, because such a change needs an `async`
  /// function that is `@concurrent`.
  @concurrent private static func elsewhere<Value: Sendable>(_ body: @Sendable () -> Value) async -> Value { body() }
}
