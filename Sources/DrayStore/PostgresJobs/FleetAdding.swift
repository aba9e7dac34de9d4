// Adds jobs to the fleet's store: one call is one durable transaction, all or nothing (P3).
//
// A list of millions is looked up and written in chunks. Chunks bound the memory, and a job costs only a small part of
// a round trip: for each chunk, one statement finds existing jobs that may be the same downloads, and COPY writes the
// new jobs.

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

/// Adds the jobs of one call; the caller holds the lock on adding.
struct FleetAdding {
  /// The number of specifications that are looked up and written together.
  static let chunk = 2000

  /// An existing or new job that may be the same download.
  private struct Known {
    /// The position among the jobs of this call, if the job is new.
    var place: Int?
    var id: JobID
    var uuid: UUID
    var state: JobState
    var hasGroup: Bool
  }

  private struct Row {
    var job: [PostgresValue]
    var hot: [PostgresValue]
    var place: Int
  }

  private let db: FleetSession
  private let now: Double
  private let seen: Set<JobID>?
  private let entrance: Entrance
  /// Whether each specification becomes a new job, even if an equal job exists.
  private let isApart: Bool
  private var requests = RequestColumn()
  private var options = JSONColumn<JobOptions>()
  private var makeUUID = JobUUIDs()
  private var groups: [JobGroup: GroupID] = [:]
  /// The jobs of this call so far. The last ones have no numbers yet, because their rows are still being collected.
  private var added: [AddedJob] = []
  /// The positions of specifications that equal an earlier new job of this call, each with the position of that job.
  private var repeated: [(place: Int, of: Int)] = []
  private var waiting: [Row] = []
  /// The jobs with the URLs of the present chunk, newest first.
  private var known: [DownloadKey: [Known]] = [:]
  /// Existing jobs that have the UUIDs which the caller chose.
  private var chosen: [UUID: JobID] = [:]

  static func add(
    _ db: FleetSession, _ specifications: AnySequence<JobSpecification>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance, isApart: Bool
  ) throws -> [AddedJob] {
    var adding = FleetAdding(db: db, now: now, seen: seen, entrance: entrance, isApart: isApart)
    var chunk: [JobSpecification] = []
    for specification in specifications {
      chunk.append(specification)
      if chunk.count == FleetAdding.chunk {
        try adding.take(chunk)
        chunk.removeAll(keepingCapacity: true)
      }
    }
    try adding.take(chunk)
    for (place, other) in adding.repeated { adding.added[place].id = adding.added[other].id }
    return adding.added
  }

  private init(db: FleetSession, now: Double, seen: Set<JobID>?, entrance: Entrance, isApart: Bool) {
    (self.db, self.now, self.seen, self.entrance, self.isApart) = (db, now, seen, entrance, isApart)
  }

  private mutating func take(_ chunk: [JobSpecification]) throws {
    guard !chunk.isEmpty else { return }
    try lookUp(chunk)
    for specification in chunk {
      let place = added.count
      if let uuid = entrance.uuids[place], let id = chosen[uuid] {
        added.append(AddedJob(id: id, uuid: uuid, existing: true))
        continue
      }
      let group = try specification.group.map { try self.group($0) }
      // An unsafe request is always a new job (P10).
      if specification.request.isSafe, !isApart, try takeExisting(specification, group) { continue }
      try add(specification, at: place, group)
    }
    try write()
  }

  /// Finds existing jobs that may be the same downloads as those of a chunk.
  private mutating func lookUp(_ chunk: [JobSpecification]) throws {
    known.removeAll(keepingCapacity: true)
    let urls = Set(chunk.lazy.filter(\.request.isSafe).map(\.request.url.string))
    if !isApart, !urls.isEmpty {
      let rows = try db.rows(
        """
        SELECT url, directory, output, jobs.id, uuid, state, group_id IS NOT NULL, \(ServerColumn.source),
          \(ServerColumn.target)
        FROM unnest(\(Array(urls))) AS wanted JOIN jobs ON url = wanted JOIN hot ON hot.id = jobs.id
        WHERE is_safe ORDER BY jobs.id DESC
        """)
      for row in rows {
        guard let state = JobState(rawValue: try row[5]) else { continue }
        let key = DownloadKey(
          url: try row[0], source: try row[7], directory: try row[1], target: try row[8], output: try row[2])
        known[key, default: []].append(Known(id: try row[3], uuid: try row[4], state: state, hasGroup: try row[6]))
      }
    }
    let uuids = (added.count..<added.count + chunk.count).compactMap { entrance.uuids[$0] }
    guard !uuids.isEmpty else { return }
    for row in try db.rows("SELECT uuid, id FROM jobs WHERE uuid = ANY(\(uuids))") { chosen[try row[0]] = try row[1] }
  }

  /// Creates the group if it does not exist.
  private mutating func group(_ group: JobGroup) throws -> GroupID {
    if let known = groups[group] { return known }
    let id = try PostgresStore.groupID(db, group, now: now)
    groups[group] = id
    return id
  }

  /// Takes the unfinished job for the same file, or a complete job that the user has not checked yet.
  private mutating func takeExisting(_ specification: JobSpecification, _ group: GroupID?) throws -> Bool {
    guard let same = known[specification.key] else { return false }
    if var job = same.first(where: { !$0.state.isFinished }) {
      let place = added.count
      added.append(AddedJob(id: job.id, uuid: job.uuid, existing: true))
      let isScheduled =
        !specification.after.isEmpty || specification.window != nil || specification.startAt != nil
      if let other = job.place {
        repeated.append((place, other))
        if isScheduled || (group != nil && !job.hasGroup) { try write() }
        job.id = added[other].id
      }
      if isScheduled { try schedule(job.id, specification) }
      if let group, !job.hasGroup {
        try db.run("UPDATE jobs SET group_id = \(group) WHERE id = \(job.id) AND group_id IS NULL")
      }
      return true
    }
    guard let seen, let newest = same.first, newest.state == .complete, !seen.contains(newest.id) else { return false }
    added.append(AddedJob(id: newest.id, uuid: newest.uuid, existing: true))
    return true
  }

  /// Applies the new start time, window and prerequisites to an existing job.
  private func schedule(_ id: JobID, _ specification: JobSpecification) throws {
    try Prerequisites.add(db, existing: id, after: specification.after)
    if let window = specification.window, specification.given?.contains("between") ?? true {
      try db.run("UPDATE hot SET transfer_window = \(window.description) WHERE id = \(id)")
    }
    guard let time = specification.startAt else { return }
    try db.run("UPDATE hot SET start_at = \(time), waiting_since = \(now) WHERE id = \(id) AND state <> 'active'")
  }

  private mutating func add(_ specification: JobSpecification, at place: Int, _ group: GroupID?) throws {
    let mayWait = specification.output == nil && specification.after.isEmpty
    // Write the collected rows now, so that the search for a free name finds their names.
    if !mayWait { try write() }
    let name = try specification.output.map { output in
      try db.freeName(
        output, in: specification.directory, at: specification.targetServer, policy: specification.options.onConflict)
    }
    let uuid: UUID
    if let chosen = entrance.uuids[place] { uuid = chosen } else { uuid = makeUUID.next() }
    let url = specification.request.url
    var wanted = specification.options
    // The job has published nothing, so it has no target to repair.
    wanted.repairs = nil
    let request = specification.request
    waiting.append(
      Row(
        job: [
          .text(uuid.text), .text(url.string), .text(specification.directory),
          .integer(Int64(specification.foreignDepth)), specification.output.postgresValue, name.postgresValue,
          group.postgresValue, .real(now), .bool(request.isSafe), (request.body?.name).postgresValue,
          .text(try requests.encode(request)), .text(try options.encode(wanted)),
        ],
        hot: [
          .text((entrance.paused.contains(place) ? JobState.paused : .queued).rawValue),
          .integer(Int64(specification.priority)), .text(url.origin.description), specification.queue.postgresValue,
          specification.startAt.postgresValue, (specification.window?.description).postgresValue,
          specification.startAt == nil ? .null : .real(now), .text(wanted.laneLabels),
        ], place: place))
    added.append(AddedJob(id: 0, uuid: uuid, existing: false))
    if request.isSafe, !isApart {
      known[specification.key, default: []].insert(
        Known(place: place, id: 0, uuid: uuid, state: .queued, hasGroup: group != nil), at: 0)
    }
    if let uuid = entrance.uuids[place] {
      try write()
      chosen[uuid] = added[place].id
    }
    if !specification.after.isEmpty {
      try write()
      try Prerequisites.add(db, added[place].id, after: specification.after)
    }
  }

  /// Writes the collected rows, and gives their jobs numbers.
  private mutating func write() throws {
    guard !waiting.isEmpty else { return }
    let ids = try db.values(
      "SELECT nextval('job_numbers') FROM generate_series(1, \(waiting.count))", as: JobID.self)
    let rows = waiting
    _ = try db.connection.copy(
      """
      COPY jobs (id, uuid, url, directory, foreign_depth, output, file_name, group_id, added_at, is_safe, body, request,
        options) FROM STDIN
      """
    ) { copy in
      for (row, id) in zip(rows, ids) { try copy.row(PostgresArguments([.integer(id)] + row.job)) }
    }
    _ = try db.connection.copy(
      """
      COPY hot (id, state, priority, origin, queue, start_at, transfer_window, waiting_since, labels)
        FROM STDIN
      """
    ) { copy in
      for (row, id) in zip(rows, ids) { try copy.row(PostgresArguments([.integer(id)] + row.hot)) }
    }
    for (row, id) in zip(rows, ids) { added[row.place].id = id }
    waiting.removeAll(keepingCapacity: true)
  }
}

extension PostgresStore {
  static func add(
    _ db: FleetSession, _ specifications: AnySequence<JobSpecification>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance, isApart: Bool
  ) throws -> [AddedJob] {
    try FleetAdding.add(db, specifications, now: now, seen: seen, entering: entrance, isApart: isApart)
  }
}

#endif
