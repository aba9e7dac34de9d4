// Moves work on long lists of jobs off the server's thread, so that other clients need not wait.

/// Work on the entries of a list. A short list is handled where the caller is, a long one off the server's thread.
enum LongWork {
  /// The maximum number of entries for the server's thread. They take less time than two thread switches.
  static let few = 200

  static func run<Value: Sendable>(_ entries: Int, _ body: @Sendable () -> Value) async -> Value {
    guard entries > few else { return body() }
    return await withTaskExecutorPreference(globalConcurrentExecutor) { await elsewhere(body) }
  }

  /// A separate function, because it starts on the preferred executor.
  @concurrent private static func elsewhere<Value: Sendable>(_ body: @Sendable () -> Value) async -> Value { body() }
}
