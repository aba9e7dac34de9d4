// Publishes a complete file. The order of the steps ensures the promise (P1): finish, sync, publish, sync the names.
// Any step may be repeated after a crash.

public import DrayCore

public struct Publication: Sendable {
  /// The part to publish, which contains all bytes of the file.
  public let part: any PartStorage
  public let size: Int64
  /// The time of the target, in seconds since 1970; `nil` keeps the time of the last write.
  public let modified: Int64?
  /// The URL to record on the target; `nil` for none.
  public let origin: String?

  public init(part: any PartStorage, size: Int64, modified: Int64? = nil, origin: String? = nil) {
    (self.part, self.size, self.modified, self.origin) = (part, size, modified, origin)
  }

  /// Gives the file its length, and checks it.
  /// - Parameter isInPlace: Whether the destination is known to be in place; `nil` if unknown.
  /// - Returns: The identity to record before the publish.
  public func prepare(destinationIsInPlace isInPlace: Bool? = nil) throws(Failure) -> FileIdentity {
    try part.finish(size: size, modified: modified, destinationIsInPlace: isInPlace)
  }

  /// Records the URL on the file, if ``origin`` is set. A failure to record the URL is only noted.
  /// - Returns: A note for people if the URL could not be recorded.
  public func recordOrigin() -> String? { origin.flatMap { part.recordOrigin($0) } }

  /// Returns the first bytes; all bytes if there are fewer.
  public func start(_ count: Int) throws(Failure) -> [UInt8] { try part.bytes(min(count, Int(clamping: size))) }

  /// Starts the write-back without waiting for it.
  public func startWriteBack() { part.startWriteBack(0..<max(size, 1)) }
}

extension Failure {
  /// The failure if the part or the destination was moved away.
  public static func moved(_ path: String) -> Failure {
    Failure(
      .file, path, "the directory or the part file was moved or removed",
      advice: "\(.run) fetches it again", recovery: .wait)
  }
}
