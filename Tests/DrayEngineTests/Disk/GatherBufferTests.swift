// The buffers that gather body bytes, and their pool.

import Testing

@testable import DrayEngine

@Suite struct GatherBufferTests {
  @Test func itTakesWhatFits() {
    let buffer = GatherBuffer(capacity: 10)
    #expect(withBytes([1, 2, 3, 4]) { buffer.append($0) } == 4)
    #expect(!buffer.isFull)
    #expect(withBytes([5, 6, 7, 8, 9, 10, 11, 12]) { buffer.append($0) } == 6)
    #expect(buffer.isFull)
    #expect(Array(buffer.bytes) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(withBytes([1]) { buffer.append($0) } == 0)
    buffer.clear()
    #expect(buffer.bytes.isEmpty)
    #expect(withBytes([7]) { buffer.append($0) } == 1)
    #expect(Array(buffer.bytes) == [7])
  }

  @Test func nothingIsNothing() {
    let buffer = GatherBuffer(capacity: 4)
    #expect(withBytes([UInt8]()) { buffer.append($0) } == 0)
    #expect(buffer.count == 0)
  }

  @Test func thePoolHandsOutEmptyOnesAgain() {
    let pool = GatherBufferPool()
    let first = pool.take()
    #expect(first.capacity == GatherBufferPool.bufferSize)
    _ = withBytes([1, 2]) { first.append($0) }
    pool.giveBack(first)
    let second = pool.take()
    #expect(second === first)
    #expect(second.count == 0)
    #expect(pool.take() !== first)
  }

  @Test func sparesAreBoundedTogether() throws {
    let spares = SpareBuffers()
    let size = GatherBufferPool.largeSize
    var taken: [GatherBuffer] = []
    while let one = spares.take(size) { taken.append(one) }
    #expect(taken.count == SpareBuffers.limit / size)
    #expect(spares.take(GatherBufferPool.bufferSize) == nil)
    let last = taken.removeLast()
    _ = withBytes([1, 2]) { last.append($0) }
    last.limit(to: 10)
    spares.giveBack(last)
    // Pooled buffers of one size make room for another size.
    let small = try #require(spares.take(GatherBufferPool.bufferSize))
    spares.giveBack(small)
    let again = try #require(spares.take(GatherBufferPool.bufferSize))
    #expect(again === small && again.count == 0 && again.capacity == again.size)
    // All buffers are returned, and few are kept: the full amount is available again.
    for one in taken + [again] { spares.giveBack(one) }
    var count = 0
    while spares.take(size) != nil { count += 1 }
    #expect(count == SpareBuffers.limit / size)
  }
}
