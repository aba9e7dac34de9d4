// The configuration of a download manager: the state directory, timeouts, and rules for hosts.

public import DrayCore
package import DrayEngine
public import DrayStore
internal import FoundationEssentials

/// The configuration of a ``DownloadManager``.
public struct Configuration: Sendable {
  /// The state directory.
  public var home: StateDirectory
  /// Seconds to wait for another process that has locked the job store.
  public var busyTimeout: Double
  /// Whether reads of jobs never wait for writers. Use it in programs that many clients query. Needs a second
  /// connection to the store.
  public var looksApart = false
  /// Additions to the requests to some hosts.
  public var hosts = HostRules()
  /// `nil` is the local disk.
  package var destinations: (any Destinations)?

  /// The PostgreSQL database with the job store, as a URI of libpq; `nil` for the SQLite store in the state directory.
  public var database: String?
  /// The directories that jobs may have if other machines use the store, too.
  public var reach = TargetReach()

  /// The job store.
  public var store: StoreConfiguration {
    StoreConfiguration(
      database.map { .database($0) } ?? .directory(home), busyTimeout: busyTimeout, looksApart: looksApart)
  }

  /// Uses a given directory.
  public init(home: StateDirectory, busyTimeout: Double = 40) {
    self.home = home
    self.busyTimeout = busyTimeout
  }

  /// Uses a queue of this program, separate from the queues of the `dray` command and of other programs. Its directory
  /// is below `XDG_STATE_HOME`, or below `~/.local/state`.
  /// - Parameter app: The name of the program; `nil` uses the name of the process.
  /// - Throws: Kind `store` if no home directory is known.
  public init(app: String? = nil) throws(Failure) {
    let app = app ?? ProcessInfo.processInfo.processName
    let others = ProcessInfo.processInfo.environment.filter { $0.key != "DRAY_HOME" }
    let user = try StateDirectory.locate(environment: others)
    let name = app.isEmpty || app.hasPrefix(".") ? "app" : app.replacing("/", with: "-")
    let above = PathText.directory(of: user.path)
    self.init(home: StateDirectory(path: PathText.join(PathText.join(above, name), "dray")))
  }

  /// Uses the queue of the user and of the `dray` command: `DRAY_HOME`, `XDG_STATE_HOME`, the home directory.
  /// - Throws: Kind `store` if none can be found.
  public static func user() throws(Failure) -> Configuration {
    Configuration(home: try StateDirectory.locate(environment: ProcessInfo.processInfo.environment))
  }
}
