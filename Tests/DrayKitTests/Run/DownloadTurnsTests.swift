// Which of a manager's downloads starts next.

import Testing

@testable import DrayKit

@Suite struct DownloadTurnsTests {
  @Test(arguments: [
    // The priorities of downloads 0, 1, …; how many may run; the order in which they start.
    ([0, 0, 0], 1, [0, 1, 2]),
    ([0, 0, 0], 5, [0, 1, 2]),
    ([0, 1, 2, 1], 1, [0, 2, 1, 3]),
    ([0, -1, 0, 3], 2, [0, 1, 3, 2]),
    ([0, 0], 0, [0, 1]),
  ])
  func higherPrioritiesFirst(_ priorities: [Int], _ most: Int, _ order: [Int]) {
    var turns = DownloadTurns(most: most)
    var started: [Int] = []
    for (number, priority) in priorities.enumerated() where turns.enter(number, priority: priority) {
      started.append(number)
    }
    #expect(started.count == min(max(most, 1), priorities.count))
    for _ in priorities { if let next = turns.leave() { started.append(next) } }
    #expect(started == order)
    let isFree = turns.enter(9, priority: 0)
    #expect(isFree)
  }

  @Test func whoGivesUpGetsNoTurn() {
    var turns = DownloadTurns(most: 1)
    let started = (0..<3).map { turns.enter($0, priority: 0) }
    turns.giveUp(1)
    let next = [turns.leave(), turns.leave()]
    #expect(started == [true, false, false])
    #expect(next == [2, nil])
  }

  @Test func aCancelledWaitEnds() async {
    let gate = DownloadGate(most: 1)
    #expect(await gate.enter(priority: 0))
    let waiting = Task { await gate.enter(priority: 0) }
    waiting.cancel()
    #expect(await !waiting.value)
    gate.leave()
    #expect(await gate.enter(priority: 0))
  }
}
