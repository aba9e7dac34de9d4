// Notifies systemd (sd_notify(3)) with one datagram per message, so that no library is needed.

internal import Posix

public struct ServiceManager: Sendable, Equatable {
  public enum Message: Sendable, Equatable {
    /// The service is up. systemd starts the units that wait for it.
    case ready
    case stopping
    /// The service is alive.
    case watchdog
    /// A line for people, shown by `systemctl status`.
    case status(String)
    /// The service needs this many more seconds to start or stop.
    case extend(seconds: Int)

    /// The form that is sent: `NAME=VALUE`.
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

  /// The socket's path, or its abstract name after `@`.
  let socket: String
  /// The seconds between two ``Message/watchdog``: half of systemd's timeout for a silent service; `nil` without a
  /// watchdog.
  public let watchdogInterval: Double?

  /// The environment variables, which children must not inherit.
  public static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// Reads the environment.
  /// - Parameter process: The id of this process. The watchdog may be for another one.
  /// - Returns: `nil` without a service manager.
  public init?(environment: [String: String], process: Int32) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@"),
      socket.utf8.count > 1
    else { return nil }
    self.socket = socket
    let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    let limit = isForUs ? environment["WATCHDOG_USEC"].flatMap { UInt64($0) } : nil
    watchdogInterval = limit.flatMap { $0 > 0 ? Double($0) / 2e6 : nil }
  }

  /// Sends messages. Nothing depends on their arrival, because systemd may be restarting.
  /// - Returns: Whether they were sent.
  @discardableResult
  public func tell(_ messages: Message...) -> Bool {
    let text = messages.map(\.line).joined(separator: "\n")
    return (try? System.sendDatagram(Array(text.utf8), toPath: socket)) != nil
  }
}
