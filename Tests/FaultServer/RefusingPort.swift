// A port of this machine that refuses every connection, reserved while the value lives.

/// A port of 127.0.0.1 without a listener, while this object lives.
///
/// The port of a stopped server is not such a port: the system may give it to another process, and often gives it to
/// other tests' servers.
public final class RefusingPort: Sendable {
  private let socket: Socket

  /// Its number.
  public let number: UInt16

  /// Takes a free port, or `port`.
  ///
  /// - Throws: `SocketError` when the system gives none, or `port` is in use.
  public init(_ port: UInt16 = 0) throws {
    socket = try Socket.bound(to: port)
    number = socket.port
  }

  /// `http://127.0.0.1:PORT` followed by `path`, which is taken verbatim.
  public func url(_ path: String) -> String { "http://127.0.0.1:\(number)\(path)" }
}
