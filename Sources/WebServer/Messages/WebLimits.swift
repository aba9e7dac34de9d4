// The limits on clients' resources and time, which keep clients from harming each other.

/// The limits of a server, in bytes and seconds.
public struct WebLimits: Sendable, Equatable {
  /// The maximum number of TCP connections. A further one takes the place of an idle one, or is answered with 503.
  public var clients = 256
  /// The maximum number of connections over sockets in the file system. They are counted separately, so that clients
  /// from outside cannot lock out the owner.
  public var localClients = 32

  /// The maximum length of a request's first line and fields together.
  public var head = 16 << 10
  /// The maximum length of a request's target.
  public var target = 8 << 10
  public var fields = 100
  /// The maximum length of a request's body.
  public var body = 16 << 20
  /// The maximum length of a body that is handled on the server's own thread, as long as nothing blocks.
  public var quick = 16 << 10
  /// The maximum length of all bodies and messages in memory: once for clients that have authenticated, and once for
  /// clients of sockets in the file system.
  public var bodies = 64 << 20
  /// The maximum length of a body and of a WebSocket message of a client that must authenticate and has not.
  public var strangerBody = 64 << 10
  /// The maximum time for a whole request of such a client.
  public var strangerPatience = 30.0
  /// The maximum length of a WebSocket message.
  public var message = 16 << 20
  /// The maximum number of frames of a message.
  public var fragments = 4096

  /// The maximum length of all waiting answers together. Beyond this length, a client that reads nothing is dropped
  /// after ``crowdedPatience``.
  public var unsent = 64 << 20

  /// The maximum time of a connection without a request.
  public var idle = 75.0
  /// The maximum time for the head of a request, and for the answer to a ping.
  public var patience = 15.0
  /// The minimum rate in bytes per second at which clients send bodies and read answers, once ``patience`` is over.
  public var slowest = 1024.0
  /// The maximum time for which a client reads nothing of its waiting bytes.
  public var stall = 60.0
  /// The minimum age at which an incomplete request is dropped for a new client when the server is full.
  public var crowdedPatience = 2.0
  /// The maximum time to read from a connection after its last answer, so that the client gets that answer (RFC 9112
  /// §9.6).
  public var farewell = 2.0

  /// The maximum length of the messages that wait for a stream's or WebSocket's reader. A reader that exceeds this
  /// limit is dropped, after a message that says so.
  public var queue = 1 << 20
  /// The maximum length of the WebSocket messages that wait for the program. Beyond this length, no more are read.
  public var unread = 1 << 20
  /// The seconds of silence after which a stream sends its beat, and a WebSocket its ping.
  public var beat = 15.0

  public init() {}

  func deadline(from start: Double, moved bytes: Int) -> Double { start + patience + Double(bytes) / slowest }
}
