// The record of an unfinished upload.

/// An upload to an object store that a job of this job store has begun. The mark stays recorded until the upload has
/// ended, so that `clean` can abort the upload.
package struct UploadMark: Sendable, Equatable, Codable {
  /// The place of the object: `s3://BUCKET/PREFIX`.
  package var place: String
  /// The server and the region, without keys; `nil` for those of the environment.
  package var signature: AWSSignature?
  /// The key of the object.
  package var key: String
  /// The upload ID that the server gave.
  package var id: String
  /// The name of the part, in the job that began the upload.
  package var part: String
  /// The time at which the upload began, in seconds since 1970.
  package var startedAt: Double

  /// Creates a mark.
  package init(
    place: String, signature: AWSSignature?, key: String, id: String, part: String, startedAt: Double
  ) {
    (self.place, self.signature, self.key) = (place, signature, key)
    (self.id, self.part, self.startedAt) = (id, part, startedAt)
  }
}

extension UploadMark {
  /// The server (``AWSSignature/server``), which belongs to an upload's identity (P23).
  package var server: String { signature?.server ?? "" }

  /// The server and the place as one text, as stored in a job store; older rows have only the place.
  package var storedPlace: String { server.isEmpty ? place : "\(server) \(place)" }

  /// Returns the place in a text of ``storedPlace``.
  package static func place(stored text: String) -> String {
    guard !text.hasPrefix(ObjectPlace.start), let blank = text.firstIndex(of: " ") else { return text }
    return String(text[text.index(after: blank)...])
  }
}
