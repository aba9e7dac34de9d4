// How jobs enter the queue, beyond what they are: under which names, whether they wait for their user, and where.

public import DrayCore

public import struct FoundationEssentials.UUID

/// What a caller of ``JobReading/add(_:marks:now:seen:entering:)`` has chosen for the jobs that are new. Numbers are places in
/// that call, from 0.
public struct Entrance: Sendable, Equatable {
  /// The names of files of jobs that get no random ones. One that a job has already, in whatever state, stands for that job: so a
  /// caller who never heard the answer may ask again.
  public var uuids: [Int: UUID]
  /// The jobs that wait for their user.
  public var paused: Set<Int>
  /// Where the jobs go, in their order; `nil` is behind all of their priority. Beside a job that does not wait any more is first.
  public var place: QueuePlace?

  /// Whether adding a completed download again makes a new job.
  public var fetchesAgain: Bool
  /// The downloads whose existing file stays unless the server has another version.
  public var continuing: Set<Int>

  /// Makes it; without arguments nothing is chosen.
  public init(
    uuids: [Int: UUID] = [:], paused: Set<Int> = [], place: QueuePlace? = nil, fetchesAgain: Bool = false,
    continuing: Set<Int> = []
  ) {
    (self.uuids, self.paused, self.place) = (uuids, paused, place)
    (self.fetchesAgain, self.continuing) = (fetchesAgain, continuing)
  }

  /// The same for a call that has only some of the jobs.
  /// - Parameter kept: their places in this call, in the order of that one.
  package func of(_ kept: [Int]) -> Entrance {
    var entrance = Entrance(place: place, fetchesAgain: fetchesAgain)
    for (index, original) in kept.enumerated() {
      entrance.uuids[index] = uuids[original]
      if paused.contains(original) { entrance.paused.insert(index) }
    }
    return entrance
  }
}

/// What became of a specification that was added.
public struct AddedJob: Sendable, Equatable {
  /// The number of the job.
  public var id: JobID
  /// The UUID of its files.
  public var uuid: UUID
  /// Whether the job was there already: an unfinished one with the same URL, directory and output.
  public var existing: Bool

  /// Makes the record.
  public init(id: JobID, uuid: UUID, existing: Bool) {
    self.id = id
    self.uuid = uuid
    self.existing = existing
  }
}

/// Where jobs are moved to.
public enum QueuePlace: Sendable, Equatable {
  /// Before all that wait.
  case first
  /// Behind all that wait.
  case last
  /// Just before this one.
  case before(JobID)
  /// Just after this one.
  case after(JobID)
}
