// Which of a manager's downloads starts next.

import Testing

@testable import DrayKit

@Suite struct DownloadSlotsTests {
  @Test(arguments: [
    // The priorities of downloads 0, 1, …; how many may run; the order in which they start.
    ([0, 0, 0], 1, [0, 1, 2]),
    ([0, 0, 0], 5, [0, 1, 2]),
    ([0, 1, 2, 1], 1, [0, 2, 1, 3]),
    ([0, -1, 0, 3], 2, [0, 1, 3, 2]),
    ([0, 0], 0, [0, 1]),
  ])
  func higherPrioritiesFirst(_ priorities: [Int], _ most: Int, _ order: [Int]) {
    var slots = DownloadSlots(most: most)
    var started: [Int] = []
    for (number, priority) in priorities.enumerated() where slots.acquire(number, priority: priority) {
      started.append(number)
    }
    #expect(started.count == min(max(most, 1), priorities.count))
    for _ in priorities { if let next = slots.release() { started.append(next) } }
    #expect(started == order)
    let isFree = slots.acquire(9, priority: 0)
    #expect(isFree)
  }

  @Test func aCancelledWaitGetsNoSlot() {
    var slots = DownloadSlots(most: 1)
    let started = (0..<3).map { slots.acquire($0, priority: 0) }
    slots.cancel(1)
    let next = [slots.release(), slots.release()]
    #expect(started == [true, false, false])
    #expect(next == [2, nil])
  }

  @Test func aCancelledWaitEnds() async {
    let semaphore = DownloadSemaphore(most: 1)
    #expect(await semaphore.acquire(priority: 0))
    let waiting = Task { await semaphore.acquire(priority: 0) }
    waiting.cancel()
    #expect(await !waiting.value)
    semaphore.release()
    #expect(await semaphore.acquire(priority: 0))
  }
}
