// Ensures that each state directory has at most one service. The service keeps a file locked, and the file contains the
// addresses of the service. As with the lease of a runner, the content is valid while the file is locked, so nobody
// needs to check process ids.

internal import DrayKit
internal import DrayStore
internal import Posix

struct ServiceLock: ~Copyable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the lock.
  /// - Throws: Kind `other` if another service has the lock; kind `store` if the file cannot be created.
  static func take(in home: StateDirectory) throws(Failure) -> ServiceLock {
    let path = ServiceFile.path(in: home)
    do throws(SystemError) {
      let descriptor = try System.openOrCreate(path, mode: 0o600)
      if try isTaken(descriptor) {
        try System.truncate(descriptor, to: 0)
        return ServiceLock(descriptor)
      }
      System.close(descriptor)
    } catch {
      throw Failure(.store, path, "the service cannot be registered: \(error.text)")
    }
    var who = ""
    if case .running(let record) = look(home) { who = " (process \(record.pid))" }
    throw Failure(
      .other, "dray serve", "it runs already for \(home.path)\(who)",
      advice: "see dray serve --status, or end it with dray serve --stop")
  }

  /// Tries to lock the file. Other processes lock it only for a moment to read it, so this is tried several times.
  private static func isTaken(_ descriptor: Int32) throws(SystemError) -> Bool {
    for _ in 0..<20 {
      if try System.tryLock(descriptor) { return true }
      System.pause(0.01)
    }
    return false
  }

  /// Writes the facts about the service into the file.
  func write(_ record: ServiceRecord) throws(Failure) {
    do throws(SystemError) {
      let bytes = Array((record.json + "\n").utf8)
      try System.write(bytes, to: descriptor, at: 0)
      try System.truncate(descriptor, to: Int64(bytes.count))
    } catch {
      throw Failure(.store, "serve.lock", "the service cannot be registered: \(error.text)")
    }
  }

  /// Releases the lock. The file itself stays: if it were removed and created again, two processes could each hold a
  /// lock.
  deinit {
    try? System.truncate(descriptor, to: 0)
    System.close(descriptor)
  }

  enum State: Equatable {
    case none
    /// A service does not listen yet, or no longer listens.
    case starting
    case running(ServiceRecord)
  }

  static func look(_ home: StateDirectory) -> State {
    guard let bytes = ServiceFile.read(in: home) else { return .none }
    return ServiceRecord.read(bytes).map { .running($0) } ?? .starting
  }
}
