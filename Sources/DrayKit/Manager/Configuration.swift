// Where the state is, how long to wait for it, and what holds for requests to some hosts.

public import DrayCore
internal import Foundation

/// What a ``DownloadManager`` is opened with.
public struct Configuration: Sendable {
  /// The state directory.
  public var home: StateDirectory
  /// Seconds to wait for another process that holds the job store.
  public var busyTimeout: Double
  /// What requests to some hosts carry beside what their jobs ask for.
  public var hosts = HostRules()

  /// Uses a directory of the caller's choice.
  public init(home: StateDirectory, busyTimeout: Double = 40) {
    self.home = home
    self.busyTimeout = busyTimeout
  }

  /// Finds the state directory as the command does: `DRAY_HOME`, `XDG_STATE_HOME`, the home directory.
  /// - Throws: kind `store` where none can be found.
  public init(environment: [String: String]) throws(Failure) {
    self.init(home: try StateDirectory.locate(environment: environment))
  }

  /// Finds it from the environment of this process.
  public init() throws(Failure) { try self.init(environment: ProcessInfo.processInfo.environment) }
}
