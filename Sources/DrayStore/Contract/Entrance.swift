public import DrayCore

public import struct FoundationEssentials.UUID

/// Options for the new jobs of ``JobReading/add(_:marks:now:seen:entering:)``. Keys are positions in that call, from 0.
public struct Entrance: Sendable, Equatable {
  /// UUIDs chosen by the caller; other jobs get new ones. If a job in any state already has the UUID, the call returns
  /// that job, so that a caller that missed the answer may repeat the call.
  public var uuids: [Int: UUID]
  /// The jobs that are added paused.
  public var paused: Set<Int>
  /// The position of the new jobs, which keep their order. `nil` places them behind all jobs of their priority. If the
  /// position is beside a job that no longer waits, they go first.
  public var place: QueuePlace?

  /// Whether adding a completed download again makes a new job.
  public var fetchesAgain: Bool
  /// The downloads whose existing file stays unless the server has another version.
  public var continuing: Set<Int>
  /// The downloads whose existing file has the expected length. Its bytes are compared with the server's.
  public var compared: Set<Int> = []

  /// Whether a client of the service adds the jobs. A client that names the URL of an existing job of the service's
  /// user neither changes nor starts that job.
  public var isForClient = false

  /// Whether the caller may change or start an existing job.
  public func mayTouch(_ job: Job) -> Bool { !isForClient || job.specification.request.isOfClient == true }

  public init(
    uuids: [Int: UUID] = [:], paused: Set<Int> = [], place: QueuePlace? = nil, fetchesAgain: Bool = false,
    continuing: Set<Int> = []
  ) {
    (self.uuids, self.paused, self.place) = (uuids, paused, place)
    (self.fetchesAgain, self.continuing) = (fetchesAgain, continuing)
  }

  /// Returns the options for a call with a subset of the jobs.
  /// - Parameter kept: The positions of the subset's jobs in the present call, in the order of the new call.
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
