// Pending bytes: of an incomplete request, or for a full socket.

import Testing

@testable import DrayServer

@Suite("pending bytes")
struct BufferTests {
  @Test("the bytes sent are the bytes appended, whatever the pieces")
  func output() {
    var generator = SplitMix(seed: 3)
    var (buffer, expected, sent): (OutputBuffer, [UInt8], [UInt8]) = (OutputBuffer(), [], [])
    for _ in 0..<200 {
      let more = (0..<Int.random(in: 0...40_000, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
      buffer.append(more)
      expected += more
      let limit = Int.random(in: 1...50_000, using: &generator)
      let count = buffer.drain { bytes in
        sent += bytes.prefix(limit)
        return min(bytes.count, limit)
      }
      #expect(buffer.isEmpty || count > 0)
      #expect(buffer.count == expected.count - sent.count)
    }
    while !buffer.isEmpty {
      _ = buffer.drain { bytes in
        sent += bytes
        return bytes.count
      }
    }
    #expect(sent == expected)
  }

  @Test("small parts are sent together, large ones alone")
  func parts() {
    var buffer = OutputBuffer()
    for size in [100, 200, 100_000, 10, 20] { buffer.append([UInt8](repeating: 1, count: size)) }
    var sizes: [Int] = []
    while !buffer.isEmpty {
      _ = buffer.drain { bytes in
        sizes.append(bytes.count)
        return bytes.count
      }
    }
    #expect(sizes == [300, 100_000, 30])
  }

  @Test("a queue gives its bytes in order")
  func queue() {
    var generator = SplitMix(seed: 4)
    var (queue, expected, taken): (ByteQueue, [UInt8], [UInt8]) = (ByteQueue(), [], [])
    for _ in 0..<500 {
      let more = (0..<Int.random(in: 0...9000, using: &generator)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      more.withUnsafeBytes { queue.append($0) }
      expected += more
      let count = Int.random(in: 0...queue.count, using: &generator)
      if Bool.random(using: &generator) {
        taken += queue.takeFirst(count)
      } else {
        taken += queue[0..<count]
        queue.removeFirst(count)
      }
      #expect(Array(queue.all) == Array(expected[taken.count...]))
    }
    #expect(taken == Array(expected.prefix(taken.count)))
  }
}
