// Caches open destinations: most files of a run go to a few.

internal import DrayEngine
internal import Synchronization
internal import Threads

/// Blocks the thread.
final class DestinationCache: Sendable {
  let all: any Destinations
  private let known = Mutex<[DirectoryPlace: (destination: any Destination, lookedAt: Double)]>([:])

  /// Destinations kept open. Above this number, all are closed.
  private let limit: Int
  /// Seconds for which a destination is trusted to be in place. Publishing checks the place again.
  private static let trust = 0.02

  init(_ all: any Destinations, limit: Int = 64) { (self.all, self.limit) = (all, limit) }

  /// Creates the destination if it is missing.
  func open(_ place: DirectoryPlace) throws(Failure) -> any Destination {
    if let destination = trusted(place) { return destination }
    let destination = try all.open(place, create: true)
    return keep(destination, SteadyClock.now())
  }

  /// `nil` if there is none.
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
