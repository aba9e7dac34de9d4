// What the system lets this process have, found out before anything depends on it: without descriptors or threads the runtime
// would crash or wait for ever, where a word is due.

internal import DrayKit
internal import Foundation

extension System {
  /// Descriptors beyond which none are asked for: some programs that hooks run look at every number up to the limit.
  private static let enoughDescriptors: rlim_t = 16_384
  /// Threads that a run needs at least.
  private static let leastThreads = 12
  /// A limit on processes below which it is looked whether threads can be made.
  private static let fewProcesses: rlim_t = 4096

  /// Raises the soft limit on descriptors, which is low for the sake of old programs, to the hard one.
  static func raiseDescriptorLimit() {
    guard var limit = descriptorLimit, limit.rlim_cur < min(limit.rlim_max, enoughDescriptors) else { return }
    limit.rlim_cur = min(limit.rlim_max, enoughDescriptors)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static var descriptorLimit: rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
  }

  /// What is lacking for anything to work, and what to do about it; `nil` where nothing is.
  static var lack: (what: String, advice: String)? {
    if let limit = descriptorLimit?.rlim_cur, limit < 4 * DescriptorBudget.least, !hasDescriptors(least: limit) {
      return (
        "too few files may be open at once (\(limit)): \(DescriptorBudget.least) more than are open already are needed",
        "raise `ulimit -n`"
      )
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0, limit.rlim_cur < fewProcesses, !hasThreads
    {
      return ("no more threads can be made: \(leastThreads) are needed", "raise `ulimit -u`, or end other programs")
    }
    return nil
  }

  /// Whether the limit is enough, and what was handed down by the caller leaves enough of it.
  private static func hasDescriptors(least limit: rlim_t) -> Bool {
    guard limit >= DescriptorBudget.least else { return false }
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < DescriptorBudget.least {
      let descriptor = dup(2)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Whether as many threads can be made as are needed. They end at once when all are there.
  private static var hasThreads: Bool {
    var gate = pthread_mutex_t()
    pthread_mutex_init(&gate, nil)
    defer { pthread_mutex_destroy(&gate) }
    return withUnsafeMutablePointer(to: &gate) { gate in
      pthread_mutex_lock(gate)
      var threads: [pthread_t] = []
      for _ in 0..<leastThreads {
        var thread = pthread_t()
        let code = pthread_create(
          &thread, nil,
          { gate in
            if let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) {
              pthread_mutex_lock(gate)
              pthread_mutex_unlock(gate)
            }
            return nil
          }, gate)
        guard code == 0 else { break }
        threads.append(thread)
      }
      pthread_mutex_unlock(gate)
      for thread in threads { pthread_join(thread, nil) }
      return threads.count == leastThreads
    }
  }
}
