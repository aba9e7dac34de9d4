// What a service tells systemd (sd_notify(3)): one datagram a message, so that no library is needed.

internal import Posix

/// The service manager, if it wants to hear of us.
public struct ServiceManager: Sendable, Equatable {
  /// Something to tell.
  public enum Message: Sendable, Equatable {
    /// The service is up; systemd starts what waits for it.
    case ready
    /// It begins to stop.
    case stopping
    /// It is alive.
    case watchdog
    /// A line for people, shown by `systemctl status`.
    case status(String)
    /// It needs so many seconds more to start or to stop.
    case extend(seconds: Int)

    /// As it is sent: `NAME=VALUE`.
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

  /// The socket: a path, or an abstract name after `@`.
  let socket: String
  /// Seconds between two ``Message/watchdog``: half of the time after which systemd ends a service that is silent; nil if it does
  /// not watch.
  public let watchdogInterval: Double?

  /// Variables that say it. Children must not get them.
  public static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// Reads the environment.
  /// - Parameter process: the process that asks; the watchdog may be for another.
  /// - Returns: nil if nobody wants to hear.
  public init?(environment: [String: String], process: Int32) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@"),
      socket.utf8.count > 1
    else { return nil }
    self.socket = socket
    let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    let limit = isForUs ? environment["WATCHDOG_USEC"].flatMap { UInt64($0) } : nil
    watchdogInterval = limit.flatMap { $0 > 0 ? Double($0) / 2e6 : nil }
  }

  /// Tells it. Nothing depends on whether it arrives: systemd may be restarting itself.
  /// - Returns: whether it was sent.
  @discardableResult
  public func tell(_ messages: Message...) -> Bool {
    let text = messages.map(\.line).joined(separator: "\n")
    return (try? System.sendDatagram(Array(text.utf8), toPath: socket)) != nil
  }
}
