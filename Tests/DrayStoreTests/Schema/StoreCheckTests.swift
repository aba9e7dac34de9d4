// The check of a database before its first use, also while another process creates the store (P3).

import DrayCore
import Testing

@testable import DrayStore

@Suite struct StoreCheckTests {
  private static let application = Int(Schema.applicationID)

  /// The states of a new store: an empty file, a marked one, one with tables. Each follows by one transaction.
  private static let states: [[StoreCheck.Question: Int]] = [
    [.pages: 0, .application: 0, .tables: 0, .version: 0],
    [.pages: 1, .application: application, .tables: 0, .version: 0],
    [.pages: 60, .application: application, .tables: 1, .version: Schema.version],
  ]

  @Test("a store that another process creates between any two answers is accepted", arguments: 0...4, 0...4)
  func created(marked: Int, created: Int) throws {
    var answers = 0
    let pages = try StoreCheck.pages("/store") { question in
      let state = answers < marked ? 0 : answers < created ? 1 : 2
      answers += 1
      return Self.states[state][question] ?? 0
    }
    #expect(pages == (marked > 0 ? 0 : created > 0 ? 1 : 60))
  }

  @Test(
    "other databases are refused",
    arguments: [
      ([.pages: 1, .application: 0, .tables: 0, .version: 0], "another program"),
      ([.pages: 60, .application: application + 1, .tables: 1, .version: Schema.version], "another program"),
      ([.pages: 60, .application: application, .tables: 1, .version: 0], "its version is 0"),
      ([.pages: 60, .application: application, .tables: 1, .version: Schema.version - 1], "an older dray"),
      ([.pages: 60, .application: application, .tables: 1, .version: Schema.version + 1], "a newer dray"),
      ([.pages: 60, .application: application, .tables: 0, .version: Schema.version + 1], "a newer dray"),
    ] as [([StoreCheck.Question: Int], String)])
  func refused(_ state: [StoreCheck.Question: Int], _ reason: String) {
    let answer: (StoreCheck.Question) -> Int = { state[$0] ?? 0 }
    let failure = #expect(throws: Failure.self) { try StoreCheck.pages("/store", answer) }
    #expect(failure?.kind == .store && failure?.reason.contains(reason) == true)
  }
}
