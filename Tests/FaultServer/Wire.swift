// An answer byte by byte, for answers that no regular head and body can express.

extension FaultServer {
  /// A piece of an answer that is sent unchanged.
  public enum Wire: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// These bytes, repeated.
    case repeated([UInt8], times: Int)
    /// A range of a content.
    case content(Content, Range<Int64>)
    /// A pause of this many seconds.
    case pause(seconds: Double)
    /// A wait until the gate opens.
    case gate(Gate)
    /// A wait until the peer's system has acknowledged everything sent.
    case delivered
    /// No bytes; opens the gate.
    case opens(Gate)
  }

  /// The end of the connection after the last piece.
  public enum WireEnd: Sendable {
    /// A FIN.
    case close
    /// A RST (`SO_LINGER` 0).
    case reset
    /// The next request on the same connection.
    case stay
  }
}

/// Sends the pieces of one answer.
struct WireWriter {
  /// Sends all of `pieces`; false when the peer is gone or the server stops.
  static func send(_ pieces: [FaultServer.Wire], over socket: borrowing Socket) -> Bool {
    for piece in pieces {
      guard send(piece, over: socket) else { return false }
    }
    return true
  }

  private static func send(_ piece: FaultServer.Wire, over socket: borrowing Socket) -> Bool {
    switch piece {
    case .bytes(let bytes):
      return socket.write(bytes)
    case .repeated(let bytes, let times):
      // In blocks, so that a hundred thousand short lines are not a hundred thousand packets.
      let block = max(1, min(times, 65_536 / max(1, bytes.count)))
      let many = Array(repeatElement(bytes, count: block).joined())
      for _ in 0..<times / block {
        guard socket.write(many) else { return false }
      }
      return socket.write(many.prefix(times % block * bytes.count))
    case .content(let content, let range):
      var position = range.lowerBound
      while position < range.upperBound {
        let end = min(position + 65_536, range.upperBound)
        guard socket.write(content.bytes(in: position..<end)) else { return false }
        position = end
      }
      return true
    case .pause(let seconds):
      return socket.wait(seconds: seconds)
    case .gate(let gate):
      return BodyWriter.wait(for: gate, socket)
    case .delivered:
      while !socket.isDelivered {
        guard socket.wait(seconds: 0.002) else { return false }
      }
      return true
    case .opens(let gate):
      gate.open()
      return true
    }
  }
}
