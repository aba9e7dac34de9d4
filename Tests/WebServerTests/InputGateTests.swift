// The gate before a connection's parser, and the bytes that it leaves in the socket.

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import WebServer

@Suite("the gate of a connection")
struct InputGateTests {
  /// Counts what is read from a socket.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  @Test("a blocked connection keeps its input, and is read no further than a little ahead")
  func blocked() throws {
    let (limits, reads) = (WebLimits(), Reads())
    let gate = InputGate(limits: limits)
    let assembler = RequestAssembler(limits: limits, gate: gate)
    let channel = EmbeddedChannel(handlers: [reads, gate, RequestAssembler.parser(limits), assembler])
    var isBlocked = true
    gate.isBlocked = { isBlocked }
    let request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
    try channel.writeInbound(ByteBuffer(string: request))
    #expect(try channel.readInbound(as: ClientInput.self) == nil && gate.held == request.utf8.count)
    let before = reads.count
    channel.read()
    #expect(reads.count == before + 1)
    try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 1000)))
    channel.read()
    #expect(reads.count == before + 1)
    isBlocked = false
    gate.run()
    var count = 0
    while try channel.readInbound(as: ClientInput.self) != nil { count += 1 }
    #expect(count == 1001 && gate.held == 0 && reads.count == before + 2)
    _ = try channel.finish()
  }

  @Test("the end of a client's input is told, and pending requests are still read after it")
  func end() throws {
    let limits = WebLimits()
    let gate = InputGate(limits: limits)
    let assembler = RequestAssembler(limits: limits, gate: gate)
    let channel = EmbeddedChannel(handlers: [gate, RequestAssembler.parser(limits), assembler])
    gate.isBlocked = { true }
    try channel.writeInbound(ByteBuffer(string: "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"))
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    gate.isBlocked = { false }
    gate.run()
    #expect(try channel.readInbound(as: ClientInput.self) != nil)
    _ = try channel.finish()
  }
}

@Suite("the meter of an answer")
struct OutputMeterTests {
  @Test("bytes that a client reads count as progress, and those that are added do not")
  func progress() {
    var meter = OutputMeter(now: 0)
    meter.give(100, now: 1)
    #expect(meter.lastSent == 1 && meter.waiting == 100)
    meter.give(100, now: 2)
    meter.measure(200, now: 3)
    #expect(meter.sent == 0 && meter.lastSent == 1 && meter.looked == 3)
    meter.measure(150, now: 4)
    #expect(meter.sent == 50 && meter.lastSent == 4)
    // With the framing of chunks, more bytes wait than were given.
    meter.give(10, now: 5)
    meter.measure(170, now: 5)
    #expect(meter.sent == 50 && meter.lastSent == 4)
    meter.measure(0, now: 6)
    meter.restart()
    #expect(meter.sent == 0 && meter.waiting == 0)
  }
}
