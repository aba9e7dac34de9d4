// Cuts received bytes into the pieces that a parser gets.

internal import NIOCore

/// Cuts a client's bytes into pieces for SwiftNIO's parser, and refuses bytes that the parser would wrongly accept.
protocol InputCutter {
  /// The received bytes that were not passed on.
  var pending: ByteBuffer { get set }
  /// The number of received bytes in memory: here, and in a parser that keeps them.
  var held: Int { get }
  /// Whether a request or a frame is incomplete.
  var isMidway: Bool { get }

  /// Returns the next piece; `nil` if more bytes are needed.
  /// - Throws: ``WebRefusal`` or ``FrameError``. The bytes after the returned pieces then have no known meaning.
  mutating func next() throws -> ByteBuffer?
}

extension InputCutter {
  var held: Int { pending.readableBytes }

  mutating func append(_ bytes: ByteBuffer) {
    guard pending.readableBytes > 0 else { return pending = bytes }
    pending.writeImmutableBuffer(bytes)
  }
}
