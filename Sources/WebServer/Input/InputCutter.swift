// Cuts received bytes into the pieces that a parser gets.

internal import NIOCore

/// Cuts a client's bytes into pieces for SwiftNIO's parser, and refuses those that the parser would accept.
protocol InputCutter {
  /// The received bytes that were not passed on.
  var pending: ByteBuffer { get set }
  /// The number of bytes in memory because of what was received: here, and in a parser that keeps them.
  var held: Int { get }
  /// Whether a request or a frame is incomplete.
  var isMidway: Bool { get }

  /// Returns the next piece; `nil` if more bytes are needed.
  /// - Throws: ``WebRefusal`` or ``FrameError``. Nothing after the returned pieces can be understood.
  mutating func next() throws -> ByteBuffer?
}

extension InputCutter {
  var held: Int { pending.readableBytes }

  /// Adds received bytes.
  mutating func append(_ bytes: ByteBuffer) {
    guard pending.readableBytes > 0 else { return pending = bytes }
    pending.writeImmutableBuffer(bytes)
  }
}
