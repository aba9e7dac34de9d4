// The hosts that asked for https (RFC 6797), shared by all runs.

import DrayCore
import SQLite

extension SQLiteStore {
  func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry] {
    try await look { db in
      try Row.fetchAll(
        db, sql: "SELECT host, expires_at, includes_subdomains FROM hsts WHERE expires_at > ?", arguments: [now]
      ).map { HSTSEntry(host: try $0[0], expiresAt: try $0[1], includesSubdomains: try $0[2]) }
    }
  }

  func record(hsts entry: HSTSEntry, now: Double) async throws(Failure) {
    try await write(.lazy) { db in
      try db.execute(sql: "DELETE FROM hsts WHERE expires_at <= ? OR host = ?", arguments: [now, entry.host])
      guard entry.expiresAt > now else { return }
      try db.execute(
        sql: "INSERT INTO hsts (host, expires_at, includes_subdomains) VALUES (?, ?, ?)",
        arguments: [entry.host, entry.expiresAt, entry.includesSubdomains])
    }
  }
}
