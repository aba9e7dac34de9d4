// Records the unfinished uploads to object stores.

internal import DrayCore

extension SQLStore {
  func beginUpload(_ mark: UploadMark) async throws(Failure) {
    try await transaction(.durable, announces: false) { db in
      try db.run(
        """
        INSERT INTO uploads (place, \(Self.uploadKey), id, part, signature, started_at)
        VALUES (\(mark.storedPlace), \(mark.key), \(mark.id), \(mark.part), \(try mark.signature.jsonText()), \(mark.startedAt))
        ON CONFLICT (\(sqlite: "place, key, id", postgres: "mark")) DO UPDATE SET part = excluded.part,
          signature = excluded.signature, started_at = excluded.started_at
        """)
    }
  }

  func endUpload(_ mark: UploadMark) async throws(Failure) {
    try await transaction(.lazy, announces: false) { db in
      try db.run(
        """
        DELETE FROM uploads WHERE place \(in: [mark.storedPlace, mark.place]) AND \(Self.uploadKey) = \(mark.key)
          AND id = \(mark.id) AND \(ServerColumn.upload) = \(mark.server)
        """)
    }
  }

  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark] {
    let condition: SQL = name.map { "part = \($0)" } ?? "true"
    return try await look { db in
      try db.rows(
        """
        SELECT place, \(Self.uploadKey), id, part, signature, started_at FROM uploads WHERE \(condition)
        ORDER BY started_at, id
        """
      ).map { row in
        UploadMark(
          place: UploadMark.place(stored: try row[0]),
          signature: try (row[4] as String?).map { try JSONColumn<AWSSignature>.value($0) },
          key: try row[1], id: try row[2], part: try row[3], startedAt: try row[5])
      }
    }
  }

  private static var uploadKey: SQL { "\(sqlite: "key", postgres: "object_key")" }
}
