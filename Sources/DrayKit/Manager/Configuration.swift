public import DrayCore
package import DrayEngine
public import DrayStore
internal import FoundationEssentials
public import Logging

/// How a ``DownloadManager`` is set up: the state directory, timeouts, and settings for hosts.
public struct Configuration: Sendable {
  /// The state directory.
  public var home: StateDirectory
  /// The seconds to wait for another process that has locked the job store.
  public var busyTimeout: Double
  /// Whether reads of jobs never wait for writers. This is meant for programs that answer the requests of many clients.
  /// It needs a second connection to the store.
  public var looksApart = false
  /// Additional settings for requests to some hosts.
  public var hosts = HostRules()
  /// How many downloads that ``DownloadManager`` starts itself are transferred at the same time. Others wait for their
  /// turn, in the order of their priorities. Runners have a limit of their own (``RunOptions/maxConcurrent``).
  public var maxDownloads = 8
  /// The log for the steps of jobs; `nil` for none. Metadata `job` has the number of the job, and URLs are without
  /// secrets.
  public var logger: Logger?
  /// The destinations; `nil` for the local disk.
  package var destinations: (any Destinations)?

  /// The PostgreSQL database with the job store, as a URI of libpq; `nil` for the SQLite store in the state directory.
  public var database: String?
  /// Which directories jobs may have, if other machines use the store as well.
  public var reach = TargetReach()

  /// Where the job store is.
  public var store: StoreConfiguration {
    StoreConfiguration(
      database.map { .database($0) } ?? .directory(home), busyTimeout: busyTimeout, looksApart: looksApart)
  }

  /// Creates a configuration with this state directory.
  public init(home: StateDirectory, busyTimeout: Double = 40) {
    self.home = home
    self.busyTimeout = busyTimeout
  }

  /// Creates a configuration with a queue of this program, separate from those of the `dray` command and of other
  /// programs. Its directory is below `XDG_STATE_HOME`, or below `~/.local/state`.
  /// - Parameter app: The name of the program; `nil` for the name of the process.
  /// - Throws: Kind `store` if no home directory is known.
  public init(app: String? = nil) throws(Failure) {
    let app = app ?? ProcessInfo.processInfo.processName
    let others = ProcessInfo.processInfo.environment.filter { $0.key != "DRAY_HOME" }
    let user = try StateDirectory.locate(environment: others)
    let name = app.isEmpty || app.hasPrefix(".") ? "app" : app.replacing("/", with: "-")
    let above = PathText.directory(of: user.path)
    self.init(home: StateDirectory(path: PathText.join(PathText.join(above, name), "dray")))
  }

  /// Returns the configuration with the queue of the user and of the `dray` command: in `DRAY_HOME`, `XDG_STATE_HOME`
  /// or the home directory.
  /// - Throws: Kind `store` if none of these is known.
  public static func user() throws(Failure) -> Configuration {
    Configuration(home: try StateDirectory.locate(environment: ProcessInfo.processInfo.environment))
  }
}
