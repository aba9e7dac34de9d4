// The origins that offer HTTP/3 (RFC 7838), shared by all runs.

import DrayCore
import SQLite

extension SQLiteStore {
  func altSvcEntries(now: Double) async throws(Failure) -> [AltSvcEntry] {
    try await look { db in
      try Row.fetchAll(db, sql: "SELECT origin, expires_at FROM alt_svc WHERE expires_at > ?", arguments: [now])
        .map { AltSvcEntry(origin: try $0[0], expiresAt: try $0[1]) }
    }
  }

  func record(altSvc entry: AltSvcEntry, now: Double) async throws(Failure) {
    try await write(.lazy) { db in
      try db.execute(sql: "DELETE FROM alt_svc WHERE expires_at <= ? OR origin = ?", arguments: [now, entry.origin])
      guard entry.expiresAt > now else { return }
      try db.execute(
        sql: "INSERT INTO alt_svc (origin, expires_at) VALUES (?, ?)", arguments: [entry.origin, entry.expiresAt])
    }
  }
}
