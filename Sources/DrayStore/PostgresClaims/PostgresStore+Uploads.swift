// The uploads to object stores that have begun and not ended.

import DrayCore
import Postgres

extension PostgresStore {
  func beginUpload(_ mark: UploadMark) async throws(Failure) {
    try await write(.durable, announces: false) { db in
      try db.run(
        """
        INSERT INTO uploads (place, object_key, id, part, signature, started_at)
        VALUES (\(mark.storedPlace), \(mark.key), \(mark.id), \(mark.part), \(try mark.signature.jsonText()), \(mark.startedAt))
        ON CONFLICT (mark) DO UPDATE SET part = excluded.part, signature = excluded.signature,
          started_at = excluded.started_at
        """)
    }
  }

  func endUpload(_ mark: UploadMark) async throws(Failure) {
    try await write(.lazy, announces: false) { db in
      try db.run(
        """
        DELETE FROM uploads WHERE place = ANY(\([mark.storedPlace, mark.place])) AND object_key = \(mark.key)
          AND id = \(mark.id) AND \(ServerColumn.upload) = \(mark.server)
        """)
    }
  }

  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark] {
    try await look { db in
      let rows =
        if let name {
          try db.rows(
            """
            SELECT place, object_key, id, part, signature, started_at FROM uploads WHERE part = \(name)
            ORDER BY started_at, id
            """)
        } else {
          try db.rows(
            "SELECT place, object_key, id, part, signature, started_at FROM uploads ORDER BY started_at, id")
        }
      return try rows.map { row in
        UploadMark(
          place: UploadMark.place(stored: try row[0]),
          signature: try (row[4] as String?).map { try JSONColumn<AWSSignature>.value($0) },
          key: try row[1], id: try row[2], part: try row[3], startedAt: try row[5])
      }
    }
  }
}
