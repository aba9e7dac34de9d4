public import DrayCore

/// Calls block the thread.
public protocol Destinations: Sendable {
  /// `nil` if there is none.
  func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)?

  /// Opens a destination, and creates it first if `create` is set.
  /// - Throws: An error also if nothing can be published there.
  func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination

  /// Checks whether files can be published at a place, without creating it.
  /// - Returns: The destination, if it exists.
  func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)?

  /// Discards parts durably, so that not even a power cut restores one. A part that another store owns, or whose place
  /// is gone, is not a failure.
  /// - Returns: The failures of the remaining parts, by name.
  func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure]

  /// Returns these destinations for a run. Once the run is stopped, they no longer wait for a server that fails.
  func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations
}

extension Destinations {
  /// A file system answers at once.
  public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations { self }
}
