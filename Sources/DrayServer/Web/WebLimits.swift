// How much a client may have, and for how long: what keeps one of them from harming the others.

/// The limits of a server. Bytes and seconds.
public struct WebLimits: Sendable, Equatable {
  /// Connections over TCP at once. One more takes the place of one that waits for its next request, or is answered with 503.
  public var clients = 256
  /// Connections at once over sockets in the file system. They are counted apart, so that nobody from outside can lock the
  /// owner out.
  public var localClients = 32

  /// Bytes of the first line and the fields of a request together.
  public var head = 16 << 10
  /// Bytes of a request's target.
  public var target = 8 << 10
  /// Fields of a request.
  public var fields = 100
  /// Bytes of a request's body.
  public var body = 16 << 20
  /// Bytes of the largest body that is answered on the server's own thread, as far as nothing is waited for.
  public var quick = 16 << 10
  /// Bytes of all bodies that are held at once.
  public var bodies = 64 << 20
  /// Bytes of a message of a WebSocket.
  public var message = 16 << 20
  /// Frames that a message may be cut into.
  public var fragments = 4096

  /// Bytes of answers that wait for their readers, of all clients together; beyond them, ``crowdedPatience`` is how long one may read
  /// nothing.
  public var unsent = 64 << 20

  /// How long a connection may be without a request.
  public var idle = 75.0
  /// How long the head of a request may take, and an answer to a ping.
  public var patience = 15.0
  /// The bytes a second that bodies must come with, and answers be read with, once ``patience`` is over.
  public var slowest = 1024.0
  /// How long a client may read nothing of what waits for it.
  public var stall = 60.0
  /// How old a request may be that has not come as a whole, so that it is not given up for a new client where there is no room.
  public var crowdedPatience = 2.0
  /// How long a connection is read on after its last answer, so that the client gets that answer (RFC 9112 §9.6).
  public var farewell = 2.0

  /// Bytes that may wait for the reader of a stream or a WebSocket. One that is slower is told so and dropped.
  public var queue = 1 << 20
  /// Bytes of messages of a WebSocket that wait for the program. With so many no more are read.
  public var unread = 1 << 20
  /// Seconds of silence after which a stream sends its beat, and a WebSocket its ping.
  public var beat = 15.0

  /// Makes limits that nobody meets who means well.
  public init() {}

  /// When something that began at `start`, and of which so many bytes have moved, is too slow.
  func deadline(from start: Double, moved bytes: Int) -> Double { start + patience + Double(bytes) / slowest }
}
