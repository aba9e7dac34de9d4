// Options for adding jobs: UUIDs, initial states, and positions in the queue.

public import DrayCore

public import struct FoundationEssentials.UUID

/// Options for the new jobs of ``JobReading/add(_:marks:now:seen:entering:)``. Keys are positions in that call, from 0.
public struct Entrance: Sendable, Equatable {
  /// UUIDs chosen by the caller; other jobs get new ones. If a job in any state has the UUID already, that job is
  /// returned instead of a new one. So a caller that missed the answer may repeat the call.
  public var uuids: [Int: UUID]
  /// The jobs that are added paused.
  public var paused: Set<Int>
  /// The position of the new jobs, in their order. `nil` places them behind all jobs of their priority. If the position
  /// is relative to a job that no longer waits, they go first.
  public var place: QueuePlace?

  /// Whether adding a completed download again makes a new job.
  public var fetchesAgain: Bool
  /// The downloads whose existing file stays unless the server has another version.
  public var continuing: Set<Int>
  /// The downloads whose existing file has the expected length, so that its bytes are compared with the server's.
  public var compared: Set<Int> = []

  /// Whether a client of the service asks. It neither changes nor begins a job of the service's user by naming its URL.
  public var isForClient = false

  /// Whether the caller may change or begin a job that exists.
  public func mayTouch(_ job: Job) -> Bool { !isForClient || job.specification.request.isOfClient == true }

  /// Creates options; the defaults choose nothing.
  public init(
    uuids: [Int: UUID] = [:], paused: Set<Int> = [], place: QueuePlace? = nil, fetchesAgain: Bool = false,
    continuing: Set<Int> = []
  ) {
    (self.uuids, self.paused, self.place) = (uuids, paused, place)
    (self.fetchesAgain, self.continuing) = (fetchesAgain, continuing)
  }

  /// Returns the options for a call with a subset of the jobs.
  /// - Parameter kept: the positions of the subset in this call, in its order.
  package func of(_ kept: [Int]) -> Entrance {
    var entrance = Entrance(place: place, fetchesAgain: fetchesAgain)
    entrance.isForClient = isForClient
    for (index, original) in kept.enumerated() {
      entrance.uuids[index] = uuids[original]
      if paused.contains(original) { entrance.paused.insert(index) }
    }
    return entrance
  }
}
