// The uploads to object stores that have begun and not ended.

import DrayCore
import SQLite

extension SQLiteStore {
  func beginUpload(_ mark: UploadMark) async throws(Failure) {
    try await write(.durable) { db in
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO uploads (place, key, id, part, signature, started_at) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [mark.storedPlace, mark.key, mark.id, mark.part, try mark.signature.jsonText(), mark.startedAt])
    }
  }

  func endUpload(_ mark: UploadMark) async throws(Failure) {
    try await write(.lazy) { db in
      try db.execute(
        sql:
          "DELETE FROM uploads WHERE place IN (?, ?) AND key = ? AND id = ? AND \(ServerColumn.upload.sqlite.text) = ?",
        arguments: [mark.storedPlace, mark.place, mark.key, mark.id, mark.server])
    }
  }

  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark] {
    try await look { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT place, key, id, part, signature, started_at FROM uploads
          WHERE ?1 IS NULL OR part = ?1 ORDER BY started_at, id
          """,
        arguments: [name]
      ).map { row in
        UploadMark(
          place: UploadMark.place(stored: try row[0]),
          signature: try (row[4] as String?).map { try JSONColumn<AWSSignature>.value($0) },
          key: try row[1], id: try row[2], part: try row[3], startedAt: try row[5])
      }
    }
  }
}
