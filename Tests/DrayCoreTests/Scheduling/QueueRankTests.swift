// Ranks between neighbours: a rank if there is room, otherwise the report that there is none.

import DrayCore
import Testing

@Suite struct QueueRankTests {
  @Test(
    arguments: [
      (1, 2, 1, [1.5]), (1, 2, 3, [1.25, 1.5, 1.75]), (nil, 5, 1, [4]), (nil, 5, 2, [3, 4]), (5, nil, 1, [7.5]),
      (nil, nil, 1, [9]), (-3, -2, 1, [-2.5]), (1, 2, 0, []),
      // No room: equal or adjacent neighbours.
      (2, 2, 1, nil), (1, 1.0.nextUp, 1, nil), (9.999, 10.0.nextDown, 1, [9.9995]), (10, nil, 1, nil),
    ] as [(Double?, Double?, Int, [Double]?)])
  func between(lower: Double?, upper: Double?, count: Int, ranks: [Double]?) {
    let found = QueueRank.between(lower, upper, count: count, next: 10)
    #expect(found?.count == ranks?.count)
    for (one, other) in zip(found ?? [], ranks ?? []) { #expect(abs(one - other) < 1e-9) }
  }

  @Test func movedToTheEndAThousandTimesItStaysBeforeWhatIsAddedNext() {
    var last = 9.0
    var renewed = 0
    for _ in 0..<1000 {
      if let rank = QueueRank.between(last, nil, count: 1, next: 10)?.first {
        #expect(rank > last && rank < 10)
        last = rank
      } else {
        last = QueueRank.rerank(count: 9, next: 10)[8]
        renewed += 1
      }
    }
    #expect(renewed > 10 && renewed < 30)
  }

  @Test func movedToTheFrontThereIsAlwaysRoom() throws {
    var first = 1.0
    for _ in 0..<1000 {
      let ranks = try #require(QueueRank.between(nil, first, count: 3, next: 10))
      #expect(ranks.count == 3 && ranks.allSatisfy { $0 < first } && ranks == ranks.sorted())
      first = try #require(ranks.first)
    }
  }

  @Test func rankedAgain() {
    #expect(QueueRank.rerank(count: 3, next: 10) == [7, 8, 9])
    #expect(QueueRank.rerank(count: 0, next: 10) == [])
  }
}
