// Keeps destinations open, because most files of a run go to few destinations.

internal import DrayEngine
internal import Synchronization
internal import Threads

/// The calls block the calling thread.
final class DestinationCache: Sendable {
  let all: any Destinations
  private let known = Mutex<[DirectoryPlace: (destination: any Destination, lookedAt: Double)]>([:])

  /// The maximum number of destinations that are kept open; if it is exceeded, all are closed.
  private let limit: Int
  /// The seconds for which a destination counts as being in place. Publishing checks again that the destination is in
  /// place.
  private static let trust = 0.02

  init(_ all: any Destinations, limit: Int = 64) { (self.all, self.limit) = (all, limit) }

  /// Opens a destination, and creates it if it is missing.
  func open(_ place: DirectoryPlace) throws(Failure) -> any Destination {
    if let destination = trusted(place) { return destination }
    let destination = try all.open(place, create: true)
    return keep(destination, SteadyClock.now())
  }

  /// Returns a destination; `nil` if it does not exist.
  func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    if let destination = trusted(place) { return destination }
    return try all.find(place).map { keep($0, SteadyClock.now()) }
  }

  private func trusted(_ place: DirectoryPlace) -> (any Destination)? {
    guard let (destination, lookedAt) = known.withLock({ $0[place] }) else { return nil }
    let now = SteadyClock.now()
    if now - lookedAt < DestinationCache.trust { return destination }
    return destination.isInPlace ? keep(destination, now) : nil
  }

  private func keep(_ destination: any Destination, _ now: Double) -> any Destination {
    known.withLock { known in
      if known.count >= limit { known = [:] }
      known[destination.place] = (destination, now)
    }
    return destination
  }
}
