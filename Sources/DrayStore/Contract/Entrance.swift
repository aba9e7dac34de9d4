package import DrayCore

package import struct FoundationEssentials.UUID

/// Options for the new jobs of ``JobReading/add(_:marks:now:seen:entering:)``. The keys are positions in the list of
/// specifications, counted from 0.
package struct Entrance: Sendable, Equatable {
  /// The UUIDs that the caller chose; all other jobs get new ones. If a job in any state already has the UUID, the call
  /// returns that job; a caller that got no answer can therefore repeat the call.
  package var uuids: [Int: UUID]
  /// The jobs that are paused when they are added.
  package var paused: Set<Int>
  /// The position of the new jobs in the queue; the jobs keep their order. With `nil`, the new jobs come after all jobs
  /// of their priority. If the position is beside a job that no longer waits, the new jobs come first.
  package var place: QueuePlace?

  /// Whether a completed download that is added again becomes a new job.
  package var fetchesAgain: Bool
  /// The downloads that keep their existing file unless the server has another version.
  package var continuing: Set<Int>
  /// The downloads whose existing file has the expected length, so that its bytes are compared with the server's.
  package var compared: Set<Int> = []

  /// Whether a client of the service adds the jobs. A client may name the URL of a job that belongs to the service's
  /// user; the client can neither change nor start that job.
  package var isForClient = false

  /// Whether the caller may change or start an existing job.
  package func mayTouch(_ job: Job) -> Bool { !isForClient || job.specification.request.isOfClient == true }

  package init(
    uuids: [Int: UUID] = [:], paused: Set<Int> = [], place: QueuePlace? = nil, fetchesAgain: Bool = false,
    continuing: Set<Int> = []
  ) {
    (self.uuids, self.paused, self.place) = (uuids, paused, place)
    (self.fetchesAgain, self.continuing) = (fetchesAgain, continuing)
  }

  /// Returns the options for another call, which adds only some of these jobs.
  /// - Parameter kept: The positions of the other call's jobs in this call, in the order of the other call.
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
