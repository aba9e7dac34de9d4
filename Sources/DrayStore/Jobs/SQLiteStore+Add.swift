// Adds jobs: one call is one durable transaction, all or nothing (P3).

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

extension SQLiteStore {
  static func add(
    _ db: Database, _ specifications: AnySequence<JobSpecification>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance, isApart: Bool
  ) throws -> [AddedJob] {
    var adding = try JobAdding(db, now: now, seen: seen, entrance)
    defer { adding.end() }
    // Nearly all jobs of a list are new, so look up their URLs together; looking them up one by one would cost as much
    // as adding the jobs.
    var known: Set<String> =
      try SQLiteStore.isEmpty(db) ? [] : SQLiteStore.known(db, specifications.lazy.map(\.request.url))
    for (index, specification) in specifications.enumerated() {
      if let uuid = entrance.uuids[index], try adding.takeKnown(uuid) { continue }
      let isKnown = !known.insert(specification.request.url.string).inserted && !isApart
      let group = try adding.group(specification.group)
      // An unsafe request is always a new job (P10).
      if isKnown, specification.request.isSafe, try adding.takeExisting(specification, group) { continue }
      try adding.add(specification, at: index, group)
    }
    return try adding.finish()
  }
}

/// Adds jobs; they share lookups and statements. The rows of a list are collected until one statement adds many of
/// them, because a statement for each would cost as much as its row.
private struct JobAdding {
  private let db: Database
  private let now: Double
  private let seen: Set<JobID>?
  private let entrance: Entrance
  /// Finds an unfinished job by its URL, directory and output.
  private let unfinished: Statement
  /// Finds the newest job by its URL, directory and output.
  private let newest: Statement
  private let mayBeDone: Bool
  private var requests = RequestColumn()
  /// The origin of the last URL. Most URLs of a list have one server.
  private var origin: (url: RequestURL, text: String)?
  private var options = JSONColumn<JobOptions>()
  private let insert: Statement
  private var uuids = JobUUIDs()
  /// The jobs of this call so far. The last ones have no numbers yet, because their rows are still being collected.
  private var added: [AddedJob] = []
  /// The values of the collected rows.
  private var waiting: [DatabaseValue] = []
  private var count = 0
  private var groups: [JobGroup: GroupID] = [:]

  /// A condition for the jobs of a download. Its parameters are in the order of ``DrayCore/DownloadKey``.
  private static let isDownload = SQLiteStore.isDownload(DownloadKey(url: "", directory: "", output: nil)).sqlite

  init(_ db: Database, now: Double, seen: Set<JobID>?, _ entrance: Entrance) throws {
    (self.db, self.now, self.seen, self.entrance) = (db, now, seen, entrance)
    unfinished = try db.cachedStatement(
      sql: """
        SELECT id, uuid FROM jobs
        WHERE \(JobAdding.isDownload) AND state NOT IN ('complete', 'failed') ORDER BY id DESC LIMIT 1
        """)
    newest = try db.cachedStatement(
      sql: """
        SELECT id, uuid, state FROM jobs WHERE \(JobAdding.isDownload) ORDER BY id DESC LIMIT 1
        """)
    insert = try db.cachedStatement(sql: NewRow.insert)
    mayBeDone = try seen != nil && SQLiteStore.isPresent(db, .complete)
  }

  /// Takes the job that has this UUID, if it exists.
  mutating func takeKnown(_ uuid: UUID) throws -> Bool {
    try writeWaiting()
    let select = try db.cachedStatement(sql: "SELECT id FROM jobs WHERE uuid = ?")
    guard let id = try JobID.fetchOne(select, arguments: [uuid.text]) else { return false }
    added.append(AddedJob(id: id, uuid: uuid, existing: true))
    return true
  }

  /// Takes the existing job for the same file, if it exists.
  mutating func takeExisting(_ specification: JobSpecification, _ group: GroupID?) throws -> Bool {
    try writeWaiting()
    guard let job = try existing(specification, group) else { return false }
    added.append(job)
    return true
  }

  /// Creates the group if it does not exist.
  mutating func group(_ group: JobGroup?) throws -> GroupID? {
    guard let group else { return nil }
    if let known = groups[group] { return known }
    let id = try SQLiteStore.groupID(db, group, now: now)
    groups[group] = id
    return id
  }

  /// Returns the unfinished job for the same file, or a complete job that the user has not checked yet.
  private func existing(_ specification: JobSpecification, _ group: GroupID?) throws -> AddedJob? {
    let download = specification.key
    let key: StatementArguments = [
      download.url, download.source, download.directory, download.target, download.output,
    ]
    if let row = try Row.fetchOne(unfinished, arguments: key) {
      let job = AddedJob(id: try row[0], uuid: try row[1], existing: true)
      try schedule(job.id, specification)
      if let group { try SQLiteStore.enter(db, job.id, group) }
      return job
    }
    guard mayBeDone, let seen, let row = try Row.fetchOne(newest, arguments: key),
      try row[2] == JobState.complete.rawValue, !seen.contains(try row[0])
    else { return nil }
    return AddedJob(id: try row[0], uuid: try row[1], existing: true)
  }

  /// Applies the new start time, window and prerequisites to an existing job.
  private func schedule(_ id: JobID, _ specification: JobSpecification) throws {
    try Prerequisites.add(db, existing: id, after: specification.after)
    if let window = specification.window, specification.given?.contains("between") ?? true {
      try db.execute(sql: "UPDATE jobs SET transfer_window = ? WHERE id = ?", arguments: [window.description, id])
    }
    guard let time = specification.startAt else { return }
    try db.execute(
      sql: "UPDATE jobs SET start_at = ?, waiting_since = ? WHERE id = ? AND state <> 'active'",
      arguments: [time, now, id])
  }

  mutating func add(_ specification: JobSpecification, at index: Int, _ group: GroupID?) throws {
    let mayWait = specification.output == nil && specification.after.isEmpty && entrance.uuids[index] == nil
    // Add the row at once, because the next lookup must find it.
    if !mayWait { try writeWaiting() }
    let name = try specification.output.map { output in
      try db.freeName(
        output, in: specification.directory, at: specification.targetServer, policy: specification.options.onConflict)
    }
    let uuid: UUID
    if let chosen = entrance.uuids[index] { uuid = chosen } else { uuid = uuids.next() }
    let row = NewRow(
      specification, uuid: uuid.text, state: entrance.paused.contains(index) ? .paused : .queued, fileName: name,
      group: group, now: now, origin: origin(of: specification.request.url),
      request: try requests.encode(specification.request), options: try text(of: specification.options))
    added.append(AddedJob(id: 0, uuid: uuid, existing: false))
    waiting += row.values
    count += 1
    if count == JobAdding.long { try db.setCache(kilobytes: JobAdding.cache) }
    if waiting.count == NewRow.many * NewRow.columnCount {
      try db.cachedStatement(sql: NewRow.insertMany).execute(arguments: StatementArguments(values: waiting))
      number(last: NewRow.many)
      waiting.removeAll(keepingCapacity: true)
    } else if !mayWait {
      try writeWaiting()
    }
    if !specification.after.isEmpty, let id = added.last?.id {
      try Prerequisites.add(db, id, after: specification.after)
    }
  }

  /// Adds the collected rows one by one.
  private mutating func writeWaiting() throws {
    guard !waiting.isEmpty else { return }
    let rows = waiting.count / NewRow.columnCount
    for row in 0..<rows {
      let values = waiting[row * NewRow.columnCount..<(row + 1) * NewRow.columnCount]
      try insert.execute(arguments: StatementArguments(values: Array(values)))
      added[added.count - rows + row].id = db.lastInsertedRowID
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Gives the last jobs their numbers, after one statement has added their rows. SQLite numbers the rows
  /// consecutively.
  private mutating func number(last count: Int) {
    let first = db.lastInsertedRowID - JobID(count) + 1
    for place in 0..<count { added[added.count - count + place].id = first + JobID(place) }
  }

  /// Adds the collected rows, and returns all jobs in order.
  mutating func finish() throws -> [AddedJob] {
    try writeWaiting()
    return added
  }

  private mutating func origin(of url: RequestURL) -> String {
    if let origin, url.isAtServer(of: origin.url) { return origin.text }
    let text = url.origin.description
    origin = (url, text)
    return text
  }

  /// Returns the text of a new job's options. A new job has published nothing, so it has no target to repair.
  private mutating func text(of wanted: JobOptions) throws -> String {
    guard wanted.repairs != nil else { return try options.encode(wanted) }
    var rest = wanted
    rest.repairs = nil
    return try options.encode(rest)
  }

  /// The length from which a list counts as long, and the size of the page cache for such a list, in KiB. URLs are
  /// unordered and scatter over their index, so that with a smaller cache, each row would write separate pages.
  private static let (long, cache) = (20_000, 64 << 10)

  /// Returns the page cache to its usual size.
  func end() {
    if count >= JobAdding.long { try? db.setCache(kilobytes: SQLiteStore.cache) }
  }
}
