// The record of a begun upload, until it has ended.

/// An upload that this store began, for `clean`: it must not be forgotten before it has ended.
public struct UploadMark: Sendable, Equatable, Codable {
  /// The place of the object: `s3://BUCKET/PREFIX`.
  public var place: String
  /// The server and the region without keys; `nil` for those of the environment.
  public var signature: AWSSignature?
  /// The key of the object.
  public var key: String
  /// The upload's number at the server.
  public var id: String
  /// The name of the part of the job that began it.
  public var part: String
  /// The start, in seconds since 1970.
  public var startedAt: Double

  /// Creates a mark.
  public init(
    place: String, signature: AWSSignature?, key: String, id: String, part: String, startedAt: Double
  ) {
    (self.place, self.signature, self.key) = (place, signature, key)
    (self.id, self.part, self.startedAt) = (id, part, startedAt)
  }
}
