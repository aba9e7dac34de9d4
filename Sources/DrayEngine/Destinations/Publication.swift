// A whole file on its way to being a target. The order of the steps is the promise (P1): finish, sync, publish, sync the
// names. Each may be repeated after a crash.

public import DrayCore

/// A part on its way to being the target.
public struct Publication: Sendable {
  /// The part, all of its bytes written.
  public let part: any PartStorage
  /// The length that it must have.
  public let size: Int64
  /// The time that the target gets, in seconds since 1970; `nil` is that of its arrival.
  public let modified: Int64?

  /// Makes a publication.
  public init(part: any PartStorage, size: Int64, modified: Int64? = nil) {
    (self.part, self.size, self.modified) = (part, size, modified)
  }

  /// Gives the file its length, and checks that it is what it should be.
  /// - Parameter isInPlace: whether the destination is in place, if that is known.
  /// - Returns: the identity to be recorded before the publish.
  public func prepare(destinationIsInPlace isInPlace: Bool? = nil) throws(Failure) -> FileIdentity {
    try part.finish(size: size, modified: modified, destinationIsInPlace: isInPlace)
  }

  /// The first `count` bytes, or all if there are fewer.
  public func start(_ count: Int) throws(Failure) -> [UInt8] { try part.bytes(min(count, Int(clamping: size))) }

  /// Starts to make it durable, without waiting.
  public func startWriteBack() { part.startWriteBack(0..<max(size, 1)) }
}

extension Failure {
  /// The failure of a file whose part, or destination, is not where it was.
  public static func moved(_ path: String) -> Failure {
    Failure(
      .file, path, "the directory or the part file was moved or removed meanwhile",
      advice: "\(.run) fetches it again", recovery: .wait)
  }
}
