// A document from the network.

public import DrayCore
public import DrayStore

/// A loaded document.
public struct LoadedDocument: Sendable {
  /// How fresh a document is.
  public enum Freshness: Sendable, Equatable {
    /// It was fetched.
    case fetched
    /// The server says that the copy is still good.
    case unchanged
    /// The server could not be asked; the copy is this many seconds old.
    case copy(age: Double, Failure)
  }

  /// The document with its URLs; to be kept once it has proved to be one.
  public var document: StoredDocument
  /// How fresh it is.
  public var freshness: Freshness
  /// The media type of the answer, lower case, without parameters.
  public var mediaType: String?
  /// The charset of its answer; `nil` for a copy.
  public var charset: String?
}
