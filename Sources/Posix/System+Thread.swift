// Threads for blocking calls, which must not occupy Swift's own threads.

internal import CLinux
internal import Glibc

extension System {
  /// Starts a thread that ends with `body`.
  /// - Parameters:
  ///   - name: A name of at most 15 bytes, for lists of threads.
  ///   - stackSize: The size of the stack in bytes.
  /// - Throws: ``SystemError`` if the system has no more threads.
  public static func startThread(
    _ name: String, stackSize: Int, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        #if !DRAY_PORTABLE
        pthread_setname_np(pthread_self(), start.name)
        #endif
        start.body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemError("pthread_create", code)
    }
  }
}

/// The start of a thread: its name and body.
private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
}
