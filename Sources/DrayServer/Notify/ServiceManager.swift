// Notifies systemd (sd_notify(3)). Each message is one datagram, so no library is needed.

internal import Posix

package struct ServiceManager: Sendable, Equatable {
  package enum Message: Sendable, Equatable {
    /// The service is ready. systemd then starts the units that wait for it.
    case ready
    case stopping
    /// The service is still working.
    case watchdog
    /// A line for people, which `systemctl status` shows.
    case status(String)
    /// The service needs this many more seconds until it has started or stopped.
    case extend(seconds: Int)

    /// The message in the form in which it is sent: `NAME=VALUE`.
    var line: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .watchdog: "WATCHDOG=1"
      case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
      case .extend(let seconds): "EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)"
      }
    }
  }

  /// The path of systemd's socket, or the abstract name of the socket after `@`.
  let socket: String
  /// The number of seconds between two messages ``Message/watchdog``: half of the time after which systemd regards a
  /// silent service as hung; `nil` without a watchdog.
  package let watchdogInterval: Double?

  /// The environment variables that child processes must not inherit.
  package static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// Reads what systemd passes in the environment.
  /// - Parameter process: The id of this process. The watchdog's variables may be meant for another process.
  /// - Returns: `nil` if no service manager started this process.
  package init?(environment: [String: String], process: Int32) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@"),
      socket.utf8.count > 1
    else { return nil }
    self.socket = socket
    let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    let limit = isForUs ? environment["WATCHDOG_USEC"].flatMap { UInt64($0) } : nil
    watchdogInterval = limit.flatMap { $0 > 0 ? Double($0) / 2e6 : nil }
  }

  /// Sends messages to systemd. Nothing depends on whether they arrive, because systemd may be restarting.
  /// - Returns: Whether the messages were sent.
  @discardableResult
  package func tell(_ messages: Message...) -> Bool {
    let text = messages.map(\.line).joined(separator: "\n")
    return (try? System.sendDatagram(Array(text.utf8), toPath: socket)) != nil
  }
}
