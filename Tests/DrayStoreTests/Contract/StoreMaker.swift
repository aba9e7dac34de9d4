// The kinds of job stores to check. A new kind is a new entry of `all`.

import DrayStore
import StoreTesting
import Testing

extension StoreMaker {
  static let all = [sqlite, readApart]

  static let sqlite = StoreMaker("SQLite") { try opened(looksApart: false) }
  static let readApart = StoreMaker("SQLite, read over a second connection") {
    try opened(looksApart: true)
  }

  private static func opened(looksApart: Bool) throws -> StorePair {
    let state = TemporaryState()
    let configuration = StoreConfiguration(.directory(state.directory), looksApart: looksApart)
    let stores = try (0..<2).map { _ in try #require(try JobStores.open(configuration, .make)) }
    return StorePair(stores[0], stores[1], owner: state)
  }
}
