// Publishes a complete file. The order of the steps keeps the promise (P1): finish, sync, publish, sync the names. Each
// step may be repeated after a crash.

public import DrayCore

/// A part that is about to become the target.
public struct Publication: Sendable {
  /// The part, with all bytes written.
  public let part: any PartStorage
  /// The required length.
  public let size: Int64
  /// The time of the target, in seconds since 1970; `nil` keeps the time of the last write.
  public let modified: Int64?
  /// The URL to record on the target; `nil` records none.
  public let origin: String?

  /// Creates a publication.
  public init(part: any PartStorage, size: Int64, modified: Int64? = nil, origin: String? = nil) {
    (self.part, self.size, self.modified, self.origin) = (part, size, modified, origin)
  }

  /// Gives the file its length, and checks it.
  /// - Parameter isInPlace: Whether the destination is in place, if known.
  /// - Returns: The identity to record before the publish.
  public func prepare(destinationIsInPlace isInPlace: Bool? = nil) throws(Failure) -> FileIdentity {
    try part.finish(size: size, modified: modified, destinationIsInPlace: isInPlace)
  }

  /// Records the URL on the file, if ``origin`` is set. Best effort.
  /// - Returns: A note for people if that was not possible.
  public func recordOrigin() -> String? { origin.flatMap { part.recordOrigin($0) } }

  /// Returns the first `count` bytes, or all if there are fewer.
  public func start(_ count: Int) throws(Failure) -> [UInt8] { try part.bytes(min(count, Int(clamping: size))) }

  /// Starts to make it durable, without waiting.
  public func startWriteBack() { part.startWriteBack(0..<max(size, 1)) }
}

extension Failure {
  /// The failure of a file whose part or destination has moved.
  public static func moved(_ path: String) -> Failure {
    Failure(
      .file, path, "the directory or the part file was moved or removed",
      advice: "\(.run) fetches it again", recovery: .wait)
  }
}
