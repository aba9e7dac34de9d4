// Where the state is, how long to wait for it, and what holds for requests to some hosts.

public import DrayCore
package import DrayEngine
public import DrayStore
internal import FoundationEssentials

/// What a ``DownloadManager`` is opened with.
public struct Configuration: Sendable {
  /// The state directory.
  public var home: StateDirectory
  /// Seconds to wait for another process that holds the job store.
  public var busyTimeout: Double
  /// Whether readers of the jobs never wait for writers: for programs that many ask at once. It takes a second
  /// connection to the store.
  public var looksApart = false
  /// What requests to some hosts carry beside what their jobs ask for.
  public var hosts = HostRules()
  /// Where files are published; `nil` is the local disk.
  package var destinations: (any Destinations)?

  /// The job store.
  public var store: StoreConfiguration {
    StoreConfiguration(.directory(home), busyTimeout: busyTimeout, looksApart: looksApart)
  }

  /// Uses a directory of the caller's choice.
  public init(home: StateDirectory, busyTimeout: Double = 40) {
    self.home = home
    self.busyTimeout = busyTimeout
  }

  /// Uses a queue of the program's own, which neither the `dray` command nor another program works on: a directory below
  /// `XDG_STATE_HOME`, or below `~/.local/state`.
  /// - Parameter app: the name of the program; `nil` is that of the process.
  /// - Throws: kind `store` where no home directory is known.
  public init(app: String? = nil) throws(Failure) {
    let app = app ?? ProcessInfo.processInfo.processName
    let others = ProcessInfo.processInfo.environment.filter { $0.key != "DRAY_HOME" }
    let user = try StateDirectory.locate(environment: others)
    let name = app.isEmpty || app.hasPrefix(".") ? "app" : app.replacing("/", with: "-")
    let above = PathText.directory(of: user.path)
    self.init(home: StateDirectory(path: PathText.join(PathText.join(above, name), "dray")))
  }

  /// Uses the queue of the user, which the `dray` command works on: `DRAY_HOME`, `XDG_STATE_HOME`, the home directory.
  /// - Throws: kind `store` where none can be found.
  public static func user() throws(Failure) -> Configuration {
    Configuration(home: try StateDirectory.locate(environment: ProcessInfo.processInfo.environment))
  }
}
