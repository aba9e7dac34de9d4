// A destination: where the files of jobs are published. What stands above it knows no file system.

public import DrayCore

/// A place that holds targets by their names, and the parts that become targets. Its calls block.
public protocol Destination: AnyObject, Sendable {
  /// The place that it was opened by.
  var place: DirectoryPlace { get }

  /// What its files are made durable with.
  var volume: Volume { get }

  /// Whether its place still leads to it.
  var isInPlace: Bool { get }

  /// The room that is left, in bytes; `nil` if unknown.
  var room: Int64? { get }

  // MARK: Targets

  /// The kind of thing with this name; `nil` if the name is free.
  func occupant(of name: String) -> Occupant?

  /// The identity of the file with this name; `nil` if no file has it.
  func identity(of name: String) -> FileIdentity?

  /// Checks whether a target can have this name.
  func checkName(_ name: String) throws(Failure)

  /// Opens a published file to read it; `nil` if no file has this name.
  func openTarget(_ name: String) throws(Failure) -> (any StoredBytes)?

  // MARK: Parts

  /// Creates an empty part, which replaces an older one with its name.
  func createPart(_ name: String) throws(Failure) -> any PartStorage

  /// Opens a part that is there; `nil` if there is none.
  func openPart(_ name: String) throws(Failure) -> (any PartStorage)?

  /// Discards a part. A missing part is no error.
  func discardPart(_ name: String) throws(Failure)

  // MARK: Publishing

  /// Gives a part the name of its target (P1). The part stays a part unless it is published.
  func publish(_ part: any PartStorage, as name: String, _ replacement: Replacement) throws(Failure) -> PublishOutcome

  /// Completes or reverts a publish that was cut off while `identity` got the name `name`.
  /// - Parameters:
  ///   - replacement: what the publish may have replaced.
  /// - Returns: whether the file keeps the name. If not, the file that had it before has it again.
  func settle(
    _ partName: String, as name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(Failure) -> Bool

  /// Makes the names durable.
  func syncNames() throws(Failure)

  /// Makes all files and names on the volume durable.
  func syncVolume() throws(Failure)
}

extension Destination {
  /// The path for messages.
  public var path: String { place.path }

  /// Whether anything has this name.
  public func exists(_ name: String) -> Bool { occupant(of: name) != nil }
}

/// The kind of thing that has a name in a destination.
public enum Occupant: Sendable, Equatable {
  /// A regular file, or an object.
  case file
  /// A link that leads to a file or a directory, or nowhere.
  case link
  case directory
  /// A device, a pipe or a socket, or a link to one.
  case special
}

/// What a publish may replace.
public enum Replacement {
  case nothing
  case anything
  /// Files that the closure accepts.
  case files((FileIdentity) -> Bool)
}

/// How a publish ended.
public enum PublishOutcome: Sendable, Equatable {
  /// The file has the name.
  case done(notes: [String])
  /// Something has the name, and may not be replaced.
  case taken
}

/// A group of destinations that can be synced together.
public struct Volume: Sendable, Hashable {
  /// What tells it from others.
  private let id: UInt64
  /// Whether ``Destination/syncVolume()`` does for every file what ``PartStorage/sync()`` does.
  public let canBeSynced: Bool
  /// Whether its files keep their identities.
  public let keepsIdentities: Bool

  /// Makes a volume.
  public init(id: UInt64, canBeSynced: Bool = false, keepsIdentities: Bool = true) {
    (self.id, self.canBeSynced, self.keepsIdentities) = (id, canBeSynced, keepsIdentities)
  }
}

/// Opens destinations by their places. Its calls block.
public protocol Destinations: Sendable {
  /// Opens a destination that is there; `nil` if there is none.
  func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)?

  /// Opens a destination, and creates it if that is asked for.
  /// - Throws: also if nothing can be published there.
  func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination

  /// Checks whether files can be published at a place, without creating it.
  /// - Returns: the destination, if it is there.
  func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)?

  /// Discards parts durably, so that not even a power cut brings one back. What another store owns, or went with its
  /// place, is no failure.
  /// - Returns: why parts are left, by their names.
  func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure]
}
