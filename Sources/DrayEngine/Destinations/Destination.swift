// A destination, where the files of jobs are published. Code above it knows no file system.

public import DrayCore

/// A place that holds targets by their names, and the parts that become targets. Calls block the thread.
public protocol Destination: AnyObject, Sendable {
  var place: DirectoryPlace { get }

  var volume: Volume { get }

  /// Whether ``place`` still leads to this destination.
  var isInPlace: Bool { get }

  /// In bytes; `nil` if unknown.
  var room: Int64? { get }

  /// The destination's abilities with parts and targets.
  var traits: DestinationTraits { get }

  // MARK: Targets

  /// How it compares names.
  var folding: NameFolding { get }

  /// Returns the existing name that is this one in another spelling (``folding``), if there is one.
  func otherSpelling(of name: String) -> String?

  /// Returns the kind of thing with this name; `nil` if the name is free.
  /// - Throws: An error if the destination does not answer. The name may then be taken.
  func occupant(of name: String) throws(Failure) -> Occupant?

  /// Returns the identity of the file with this name; `nil` if no file has it.
  /// - Throws: As ``occupant(of:)``.
  func identity(of name: String) throws(Failure) -> FileIdentity?

  /// Returns the store's facts about the object with this name; `nil` if there is none, and for files.
  /// - Throws: As ``occupant(of:)``.
  func facts(of name: String) throws(Failure) -> ObjectFacts?

  /// Looks up a name without blocking the thread, so that the next calls for this name need no server.
  /// - Throws: As ``occupant(of:)``.
  func prefetch(_ name: String) async throws(Failure)

  func checkName(_ name: String) throws(Failure)

  /// Opens a published file to read it; `nil` if no file has this name.
  func openTarget(_ name: String) throws(Failure) -> (any StoredBytes)?

  // MARK: Parts

  /// Replaces an older part with this name.
  func createPart(_ name: String) throws(Failure) -> any PartStorage

  /// Opens an existing part; `nil` if there is none.
  func openPart(_ name: String) throws(Failure) -> (any PartStorage)?

  /// Opens a part with all or some of the bytes that a checkpoint covers; `nil` if there is none.
  func openPart(_ name: String, recorded: Checkpoint) throws(Failure) -> (any PartStorage)?

  /// A missing part is not an error.
  func discardPart(_ name: String) throws(Failure)

  /// Copies bytes of a part to a new part with another name, durably. The old part stays.
  /// - Returns: `nil` once `isCancelled` is true; `false` if there is no such part.
  func copyPart(
    _ name: String, to new: String, _ segments: SegmentSet, isCancelled: () -> Bool
  ) throws(Failure) -> Bool?

  func hasPart(_ name: String) -> Bool

  // MARK: Publishing

  /// Gives a part the name of its target (P1). The part stays a part unless it is published.
  func publish(
    _ part: any PartStorage, as name: String, _ replacement: Replacement
  ) async throws(Failure) -> PublishOutcome

  /// Completes or reverts an interrupted publish that gave `identity` the name `name`.
  /// - Parameters:
  ///   - replacement: The files that the publish may have replaced.
  /// - Returns: `true` if the file keeps the name, `false` if the former file has the name again.
  func settle(
    _ partName: String, as name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(Failure) -> Bool

  /// Reads a published target of a server back and compares its digests, if its publish did not do so. Withdraws the
  /// target if `judge` rejects the digests.
  /// - Parameter identity: The identity of the target.
  /// - Returns: The proven digest.
  /// - Throws: Kind `integrity` if the target was wrong.
  func proveTarget(
    _ name: String, _ identity: FileIdentity, _ algorithms: [DigestAlgorithm],
    isStopped: @escaping @Sendable () -> Bool,
    _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) async throws(Failure) -> SourcedDigest?

  /// The names become durable.
  func syncNames() throws(Failure)

  /// Makes durable all files and names on the volume.
  func syncVolume() throws(Failure)
}

extension Destination {
  public var path: String { place.path }

  /// Any kind of thing counts.
  /// - Throws: As ``occupant(of:)``.
  public func exists(_ name: String) throws(Failure) -> Bool { try occupant(of: name) != nil }

  /// Names are compared byte by byte, as keys are.
  public var folding: NameFolding { .none }

  /// Names are compared byte by byte.
  public func otherSpelling(of name: String) -> String? { nil }

  public var traits: DestinationTraits { place.traits }

  /// A file system answers at once.
  public func prefetch(_ name: String) async throws(Failure) {}

  /// Files are no objects.
  public func facts(of name: String) throws(Failure) -> ObjectFacts? { nil }

  /// Files are proved before they get their names.
  public func proveTarget(
    _ name: String, _ identity: FileIdentity, _ algorithms: [DigestAlgorithm],
    isStopped: @escaping @Sendable () -> Bool,
    _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) async throws(Failure) -> SourcedDigest? { nil }

  public func openPart(_ name: String, recorded: Checkpoint) throws(Failure) -> (any PartStorage)? {
    try openPart(name)
  }

  /// A part without a file stays its upload's.
  public func copyPart(
    _ name: String, to new: String, _ segments: SegmentSet, isCancelled: () -> Bool
  ) throws(Failure) -> Bool? { false }

  /// There are no part files.
  public func hasPart(_ name: String) -> Bool { false }
}

/// A destination that publishes without requests to a server.
public protocol DirectDestination: Destination {
  /// Publishes on the current thread.
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
  /// The name is taken by something that may not be replaced.
  case taken
}
