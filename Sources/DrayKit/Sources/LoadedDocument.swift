package import DrayCore
package import DrayStore

/// A document that was loaded from the network, or from its copy.
package struct LoadedDocument: Sendable {
  /// How current a document is.
  package enum Freshness: Sendable, Equatable {
    /// The document was just fetched.
    case fetched
    /// The server has confirmed that the copy is current.
    case unchanged
    /// The server could not be reached; the copy is this many seconds old.
    case copy(age: Double, Failure)
  }

  /// The document with its URLs. Store it once it is known to be valid.
  package var document: StoredDocument
  /// How current the document is.
  package var freshness: Freshness
  /// The media type of the answer, in lowercase and without parameters.
  package var mediaType: String?
  /// The charset of the answer; `nil` for a copy.
  package var charset: String?
}
