// A destination is where the files of jobs are published. Code above this protocol needs to know no file system.

public import DrayCore

/// A place that contains targets, and parts that become targets; both are found by name. The calls block the calling
/// thread.
public protocol Destination: AnyObject, Sendable {
  var place: DirectoryPlace { get }

  var volume: Volume { get }

  /// Whether ``place`` still leads to this destination.
  var isInPlace: Bool { get }

  /// The free space in bytes; `nil` if unknown.
  var room: Int64? { get }

  /// The abilities of the destination with parts and targets.
  var traits: DestinationTraits { get }

  // MARK: Targets

  /// How the destination compares names.
  var folding: NameFolding { get }

  /// Returns an existing spelling of this name that differs from `name` (``folding``); `nil` if none exists.
  func otherSpelling(of name: String) -> String?

  /// Returns the kind of thing that has this name; `nil` if the name is free.
  /// - Throws: An error if the destination does not answer, because the name may then be taken.
  func occupant(of name: String) throws(Failure) -> Occupant?

  /// Returns the identity of the file with this name; `nil` if no file has it.
  /// - Throws: The errors of ``occupant(of:)``.
  func identity(of name: String) throws(Failure) -> FileIdentity?

  /// Returns the object store's facts about the object with this name; `nil` for files, and if there is no such object.
  /// - Throws: The errors of ``occupant(of:)``.
  func facts(of name: String) throws(Failure) -> ObjectFacts?

  /// Looks up a name in advance without blocking the thread, so that the next calls for this name need no request.
  /// - Throws: The errors of ``occupant(of:)``.
  func prefetch(_ name: String) async throws(Failure)

  func checkName(_ name: String) throws(Failure)

  /// Opens a published file for reading; `nil` if no file has this name.
  func openTarget(_ name: String) throws(Failure) -> (any StoredBytes)?

  // MARK: Parts

  /// Creates a part; replaces an older part with this name.
  func createPart(_ name: String) throws(Failure) -> any PartStorage

  /// Opens an existing part; `nil` if there is none.
  func openPart(_ name: String) throws(Failure) -> (any PartStorage)?

  /// Opens a part that has at least some of the bytes that a checkpoint covers; `nil` if there is none.
  func openPart(_ name: String, recorded: Checkpoint) throws(Failure) -> (any PartStorage)?

  /// Discards a part; a missing part is not an error.
  func discardPart(_ name: String) throws(Failure)

  /// Copies the bytes of a part durably to a new part with another name; the old part stays.
  /// - Returns: `nil` once `isCancelled` is true; `false` if there is no such part.
  func copyPart(
    _ name: String, to new: String, _ segments: SegmentSet, isCancelled: () -> Bool
  ) throws(Failure) -> Bool?

  func hasPart(_ name: String) -> Bool

  // MARK: Publishing

  /// Gives a part the name of its target (P1). If the publish fails, the part remains a part.
  func publish(
    _ part: any PartStorage, as name: String, _ replacement: Replacement
  ) async throws(Failure) -> PublishOutcome

  /// Completes or reverts an interrupted publish in which the file with the identity `identity` was to get the name
  /// `name`.
  /// - Parameters:
  ///   - replacement: The files that the publish may have replaced.
  /// - Returns: `true` if the file keeps the name; `false` if the earlier file has the name again.
  func settle(
    _ partName: String, as name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(Failure) -> Bool

  /// Reads a published object back and compares its digests, if its publish did not do so. If `judge` rejects the
  /// digests, the object is withdrawn.
  /// - Parameter identity: The identity of the target.
  /// - Returns: The proven digest.
  /// - Throws: Kind `integrity` if the target was wrong.
  func proveTarget(
    _ name: String, _ identity: FileIdentity, _ algorithms: [DigestAlgorithm],
    isStopped: @escaping @Sendable () -> Bool,
    _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) async throws(Failure) -> SourcedDigest?

  /// Makes the names in the destination durable.
  func syncNames() throws(Failure)

  /// Makes all files and names on the volume durable.
  func syncVolume() throws(Failure)
}

extension Destination {
  public var path: String { place.path }

  /// Whether anything of any kind has the name.
  /// - Throws: The errors of ``occupant(of:)``.
  public func exists(_ name: String) throws(Failure) -> Bool { try occupant(of: name) != nil }

  /// Names are compared byte by byte.
  public var folding: NameFolding { .none }

  /// There is no other spelling, because names are compared byte by byte.
  public func otherSpelling(of name: String) -> String? { nil }

  public var traits: DestinationTraits { place.traits }

  /// Does nothing, because a file system answers at once.
  public func prefetch(_ name: String) async throws(Failure) {}

  /// Returns `nil`, because files are not objects.
  public func facts(of name: String) throws(Failure) -> ObjectFacts? { nil }

  /// Does nothing, because files are proved before they get their names.
  public func proveTarget(
    _ name: String, _ identity: FileIdentity, _ algorithms: [DigestAlgorithm],
    isStopped: @escaping @Sendable () -> Bool,
    _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) async throws(Failure) -> SourcedDigest? { nil }

  public func openPart(_ name: String, recorded: Checkpoint) throws(Failure) -> (any PartStorage)? {
    try openPart(name)
  }

  /// Copies nothing, because a part that is not a file stays with its upload.
  public func copyPart(
    _ name: String, to new: String, _ segments: SegmentSet, isCancelled: () -> Bool
  ) throws(Failure) -> Bool? { false }

  /// Whether a part file exists; never here, because parts are not files.
  public func hasPart(_ name: String) -> Bool { false }
}

/// A destination that publishes without requests to a server.
public protocol DirectDestination: Destination {
  /// Publishes a part on the current thread.
  func publish(_ part: any PartStorage, as name: String, _ replacement: Replacement) throws(Failure) -> PublishOutcome
}

public enum Occupant: Sendable, Equatable {
  /// A regular file, or an object.
  case file
  /// A link that leads to a file or a directory, or nowhere.
  case link
  case directory
  /// A device, a pipe or a socket, or a link to one.
  case special
}

public enum PublishOutcome: Sendable, Equatable {
  case done(notes: [String])
  /// The name is taken by something that must not be replaced.
  case taken
}
