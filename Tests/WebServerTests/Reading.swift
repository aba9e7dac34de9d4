// The input of a connection without a socket: bytes through the gate and SwiftNIO's parsers.

import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket

@testable import WebServer

/// The result of reading bytes in pieces.
struct Reading {
  /// The input up to the first error.
  private(set) var input: [ClientInput] = []
  /// The error that ended it.
  private(set) var error: (any Error)?
  /// The greatest number of bytes in memory after a piece.
  private(set) var held = 0

  /// The status of a refused request.
  var refusal: Int? { (error as? WebRefusal)?.status }
  /// The code of a refused frame.
  var code: UInt16? { (error as? FrameError)?.code.rawValue }

  /// Reads requests.
  static func requests(_ pieces: [[UInt8]], _ limits: WebLimits = WebLimits()) -> Reading {
    let gate = InputGate(limits: limits)
    let assembler = RequestAssembler(limits: limits, gate: gate)
    var reading = Reading()
    reading.read(pieces, [gate, RequestAssembler.parser(limits), assembler]) { gate.held + assembler.held }
    return reading
  }

  /// Reads the frames of a WebSocket.
  static func frames(_ pieces: [[UInt8]], _ limits: WebLimits = WebLimits()) -> Reading {
    let gate = InputGate(limits: limits)
    gate.cutter = FrameCutter(limits: limits, pending: ByteBuffer())
    let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.message))
    var reading = Reading()
    reading.read(pieces, [gate, decoder, FrameAssembler()]) { gate.held }
    return reading
  }

  private mutating func read(_ pieces: [[UInt8]], _ handlers: [any ChannelHandler], held: () -> Int) {
    let channel = EmbeddedChannel(handlers: handlers)
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    for piece in pieces where error == nil {
      do { try channel.writeInbound(ByteBuffer(bytes: piece)) } catch { self.error = error }
      while let next = try? channel.readInbound(as: ClientInput.self) { input.append(next) }
      self.held = max(self.held, held())
    }
  }
}

extension [UInt8] {
  /// The bytes in pieces of this length.
  func cut(_ length: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
  }
}
