// A document from the network.

public import DrayCore
public import DrayStore

/// A loaded document.
public struct LoadedDocument: Sendable {
  /// The freshness of a document.
  public enum Freshness: Sendable, Equatable {
    /// The document was fetched.
    case fetched
    /// The server confirmed the copy.
    case unchanged
    /// The server could not be reached; the copy is this many seconds old.
    case copy(age: Double, Failure)
  }

  /// The document with its URLs, to be stored once it is known to be valid.
  public var document: StoredDocument
  /// The freshness of the document.
  public var freshness: Freshness
  /// The media type of the answer, in lower case, without parameters.
  public var mediaType: String?
  /// The charset of the answer; `nil` for a copy.
  public var charset: String?
}
