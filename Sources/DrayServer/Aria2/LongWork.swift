// Lists of thousands of jobs take long to make and to write: other clients need not wait for that.

/// Work on the entries of a list: of a short one where the caller is, of a long one off the server's thread.
enum LongWork {
  /// As many entries as are dealt with on the server's thread: less work than a change of threads and back.
  static let few = 200

  static func run<Value: Sendable>(_ entries: Int, _ body: @Sendable () -> Value) async -> Value {
    guard entries > few else { return body() }
    return await withTaskExecutorPreference(globalConcurrentExecutor) { await elsewhere(body) }
  }

  /// A function of its own: it begins on the executor that is preferred.
  @concurrent private static func elsewhere<Value: Sendable>(_ body: @Sendable () -> Value) async -> Value { body() }
}
