// What runners apply while they run, set by any process.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

/// The names of settings.
public enum StoreSetting: String, Sendable {
  /// The rate of all jobs of a runner together, as it was typed (`dray limit`).
  case rateLimit = "rate-limit"
  /// How many jobs a runner transfers at once, as it was typed (`dray limit --jobs`).
  case jobs
  /// The limits as a program set them, in its own words; they hold if ``rateLimit`` is what they come to.
  case timetable
}

extension JobStore {
  /// The value of a setting, `nil` if it has none.
  package func setting(_ name: StoreSetting) throws(Failure) -> String? {
    try access { db in
      try String.fetchOne(
        db.cachedStatement(sql: "SELECT value FROM settings WHERE name = ?"), arguments: [name.rawValue])
    }
  }

  /// Sets it, or takes it away with `nil`. Durable.
  package func set(_ name: StoreSetting, to value: String?) throws(Failure) {
    try write(.durable) { db in
      try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [name.rawValue])
      if let value {
        try db.execute(sql: "INSERT INTO settings VALUES (?, ?)", arguments: [name.rawValue, value])
      }
    }
  }

  /// Limits the rate of one job, `nil` for no limit; its runner applies it at once. Durable.
  /// - Returns: whether there is such a job.
  package func setRateLimit(_ rate: Int64?, of id: JobID) throws(Failure) -> Bool {
    try write(.durable) { db in
      // A patch with null takes the field away (RFC 7396).
      try db.execute(
        sql: "UPDATE jobs SET options = json_patch(options, json_object('rateLimit', ?)) WHERE id = ?",
        arguments: [rate, id])
      return db.changesCount == 1
    }
  }

  /// The rates that the jobs of `runner` are limited to; jobs without a limit are left out.
  package func rateLimits(runner: UUID) throws(Failure) -> [JobID: Int64] {
    try access { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: "SELECT id, json_extract(options, '$.rateLimit') FROM jobs INDEXED BY jobs_runner WHERE runner = ?"),
        arguments: [runner.uuidString])
      return try rows.reduce(into: [:]) { limits, row in limits[try row[0]] = try row[1] as Int64? }
    }
  }
}
