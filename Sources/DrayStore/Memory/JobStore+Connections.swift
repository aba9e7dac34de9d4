// How many connections were found to help a file of an origin, shared by all runs.

package import DrayCore
import GRDB

extension JobStore {
  /// Seconds that what was learnt counts: a day, as networks change.
  private static let connectionMemory = 86_400.0

  /// How many connections helped a file of each origin lately; 0 if its answers were of different versions.
  package func helpfulConnections(now: Double) throws(Failure) -> [String: Int] {
    try access { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT origin, helpful FROM connections WHERE learned_at BETWEEN ? AND ?",
        arguments: [now - JobStore.connectionMemory, now])
      return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }
  }

  /// Remembers how many connections helped a file of an origin. Lazy.
  package func record(helpfulConnections count: Int, of origin: String, now: Double) throws(Failure) {
    try write(.lazy) { db in
      // A time to come is that of a clock which was put back.
      try db.execute(
        sql: "DELETE FROM connections WHERE learned_at NOT BETWEEN ? AND ?",
        arguments: [now - JobStore.connectionMemory, now])
      try db.execute(
        sql: "INSERT OR REPLACE INTO connections (origin, helpful, learned_at) VALUES (?, ?, ?)",
        arguments: [origin, count, now])
    }
  }
}
