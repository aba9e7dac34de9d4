// Finds out whether jobs exist.

internal import DrayCore
internal import SQLite

extension SQLiteStore {
  static func isEmpty(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: "SELECT NOT EXISTS (SELECT 1 FROM jobs)")) ?? false
  }

  /// Returns which of the URLs are known, within the caller's transaction.
  static func known(_ db: Database, _ urls: some Sequence<RequestURL>) throws -> Set<String> {
    let select = try db.cachedStatement(
      sql: "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM jobs WHERE url = value)")
    return Set(try String.fetchAll(select, arguments: [RecordText.list(urls.map(\.string))]))
  }

  func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState> {
    try await look { db in try states.filter { state in try SQLiteStore.isPresent(db, state) } }
  }

  /// Returns whether any job is in this state, by one index lookup.
  static func isPresent(_ db: Database, _ state: JobState) throws -> Bool {
    // The state is part of the text: with a parameter, SQLite would compile the statement again for each state, because
    // the state decides which indexes can be used.
    try db.isTrue("SELECT EXISTS (SELECT 1 FROM jobs WHERE state \(in: [state] as Set))")
  }
}
