package import DrayCore

/// A job whose target is published.
package struct Finished: Sendable {
  package var id: JobID
  package var published: FileIdentity
  package var received: Int64
  package var size: Int64?
  /// A note for people, such as "length unverified".
  package var note: String?
  package var digest: SourcedDigest?
  /// The attempt that ended; `nil` if recovery finished the publish of a dead runner.
  package var attempt: AttemptRecord?
  /// The arrangements that the owner has carried out; `nil` if there were none. A job that now has other arrangements
  /// is not completed, so that none of them is lost (P3).
  package var arranged: [SourceArrangement]?

  package init(
    id: JobID, published: FileIdentity, received: Int64, size: Int64?, note: String? = nil,
    digest: SourcedDigest? = nil, attempt: AttemptRecord? = nil
  ) {
    self.id = id
    self.published = published
    self.received = received
    self.size = size
    self.note = note
    self.digest = digest
    self.attempt = attempt
  }
}
