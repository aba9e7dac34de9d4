// Takes the place of object stores in builds without the package trait ObjectStores: refuses their places, so that no
// directory named after a bucket is made.

#if !ObjectStores

public import DrayCore

/// Opens places outside object stores, and refuses those in them.
public final class ObjectDestinations: Destinations {
  private let others: any Destinations

  /// - Parameter others: Opens places outside object stores.
  public init(_ others: any Destinations) { self.others = others }

  /// Returns these destinations for a run whose writes are checked by a fence.
  package func guarded(by fence: WriteFence, _ others: any Destinations) -> ObjectDestinations {
    ObjectDestinations(others)
  }

  public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations {
    ObjectDestinations(others.stopping(when: isStopped))
  }

  private func refuse(_ place: DirectoryPlace) throws(Failure) {
    guard place.object != nil else { return }
    throw Failure(
      .usage, place.path, "this program was built without the package trait ObjectStores",
      advice: "choose a directory, or build with the trait", recovery: .keep)
  }

  public func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    try refuse(place)
    return try others.find(place)
  }

  public func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination {
    try refuse(place)
    return try others.open(place, create: create)
  }

  public func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    try refuse(place)
    return try others.check(place)
  }

  public func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure] {
    do throws(Failure) { try refuse(place) } catch {
      return Dictionary(names.map { ($0, error) }) { first, _ in first }
    }
    return others.discardParts(names, at: place)
  }

  /// Throws, because the uploads of a bucket cannot be listed.
  public func uploads(at place: DirectoryPlace) async throws(Failure) -> [FoundUpload] {
    try refuse(place)
    return []
  }

  /// Throws, because the upload cannot be discarded.
  package func abort(_ upload: ListedUpload, at place: DirectoryPlace) async throws(Failure) { try refuse(place) }
}

#endif
