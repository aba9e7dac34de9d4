public import DrayCore

/// Opens destinations. The calls block the calling thread.
public protocol Destinations: Sendable {
  /// Returns a destination; `nil` if it does not exist.
  func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)?

  /// Opens a destination, which is created first if `create` is set.
  /// - Throws: An error also if no file can be published there.
  func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination

  /// Checks whether files can be published at a place, without creating it.
  /// - Returns: The destination, if it exists.
  func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)?

  /// Discards parts durably, so that not even a power cut brings one back. A part that belongs to another store, or a
  /// place that no longer exists, is not a failure.
  /// - Returns: The failures for the parts that remain, keyed by name.
  func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure]

  /// Returns these destinations for a run. Once the run is stopped, these destinations no longer wait for a server that
  /// fails.
  func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations
}

extension Destinations {
  /// Returns the same destinations, because a file system answers at once.
  public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations { self }
}
