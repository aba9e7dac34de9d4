// Makes summaries from the rows of any store, without parsing JSON or URLs.

internal import DrayCore

extension JobSummary {
  enum Column: Int, ColumnSet {
    case id, uuid, state, url, finalUrl, directory, foreignDepth, fileName, received, size, priority, rank, addedAt
    case finishedAt, attempts, digest, digestSource, failure, runner, notBefore, note, startAt, waitsFor, isOneOff
    case transferWindow
    case groupId, groupName, partStem, partDirectory, queue
    case hold, pass, labels, part, title
  }

  init(_ row: some StoredRow<Column>) throws {
    id = try row[.id]
    guard let uuid = try row.uuidText(.uuid) else { throw BadColumn(column: Column.uuid.name, id: id) }
    uuidText = uuid
    guard let state = JobState(rawValue: try row[.state]) else { throw BadColumn(column: Column.state.name, id: id) }
    self.state = state
    url = try row[.url]
    finalURL = try row[.finalUrl]
    directory = try row[.directory]
    foreignDepth = try row[.foreignDepth]
    fileName = try row[.fileName]
    received = try row[.received]
    size = try row[.size]
    priority = try row[.priority]
    rank = try row[.rank]
    addedAt = try row[.addedAt]
    finishedAt = try row[.finishedAt]
    attempts = try row[.attempts]
    digest = try row[.digest]
    digestSource = (try row[.digestSource] as String?).map(DigestSource.init(rawValue:))
    failureText = try row[.failure]
    runnerText = try row.uuidText(.runner)
    notBefore = try row[.notBefore]
    note = try row[.note]
    startAt = try row[.startAt]
    windowText = try row[.transferWindow]
    waitsFor = try row.jobs(.waitsFor)
    isOneOff = try row[.isOneOff]
    group = try row.group(.groupId, .groupName)
    partStem = try row[.partStem]
    queue = try row[.queue]
    partDirectory = try row[.partDirectory]
    holdText = try row[.hold]
    passText = try row[.pass]
    labelsText = try row[.labels]
    title = try row[.title]
    partGeneration = (try row[.part] as String?).flatMap(PartGeneration.init)?.number ?? 0
  }
}
