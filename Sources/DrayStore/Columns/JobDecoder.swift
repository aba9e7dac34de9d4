internal import DrayCore

/// Decodes the columns of a whole job from a row of any store. Rows that were added together often have the same
/// request and options, so the last of each are cached.
struct JobDecoder {
  enum Column: Int, ColumnSet {
    case id, uuid, addedAt, state, url, request, options, directory, foreignDepth, output, priority, startAt
    case transferWindow
    case fileName, segments, size, etag, lastModified, date, offered, provenance, upload
    case response, publishing, published, digest, digestSource
    case attempts, retriesUsed, furthest, notBefore, finishedAt, failure, note, runner, groupId, groupName, queue, part
  }

  private var requests = RequestColumn()
  private var options = JSONColumn<JobOptions>()

  mutating func job(_ row: some StoredRow<Column>) throws -> Job {
    let id: JobID = try row[.id]
    func wanted<T>(_ column: Column, _ value: T?) throws -> T {
      guard let value else { throw BadColumn(column: column.name, id: id) }
      return value
    }

    let address: String = try row[.url]
    let url = try RequestURL(normalized: address) ?? RequestURL.parse(address).url
    var specification = JobSpecification(
      request: try requests.decode(row[.request], url: url), options: try options.decode(row[.options]),
      directory: try row[.directory], output: try row[.output], priority: try row[.priority])
    specification.startAt = try row[.startAt]
    specification.window = try (row[.transferWindow] as String?).map { try TransferWindow.parse($0) }
    specification.foreignDepth = try row[.foreignDepth]
    specification.queue = try row[.queue]
    var job = Job(
      id: id, uuid: try wanted(.uuid, row.uuid(.uuid)), specification: specification, addedAt: try row[.addedAt])
    job.state = try wanted(.state, JobState(rawValue: row[.state]))
    job.fileName = try row[.fileName]
    job.checkpoint = Checkpoint(
      segments: try wanted(.segments, SegmentSet(row[.segments] as String)), size: try row[.size],
      validators: Validators(etag: try row[.etag], lastModified: try row[.lastModified], date: try row[.date]))
    job.checkpoint.offered = try row.json(.offered) ?? []
    job.checkpoint.provenance = try row.json(.provenance)
    job.checkpoint.upload = try row.json(.upload)
    job.response = try row.json(.response)
    job.publishing = try row.json(.publishing)
    job.published = try row.json(.published)
    if job.published != nil, job.checkpoint.provenance == nil, let response = job.response {
      // A small file is published without a checkpoint, so the provenance for a repair comes from the file's last
      // answer.
      job.checkpoint.provenance = Provenance(response.head, from: response.finalURL)
    }
    // Without the record of the published file, permission to replace a damaged target is void (P2).
    if job.published == nil { job.specification.options.repairs = nil }
    job.digest = try (row[.digest] as String?).map { try DigestValue.parse($0) }
    job.digestSource = (try row[.digestSource] as String?).map(DigestSource.init(rawValue:))
    job.attempts = try row[.attempts]
    job.retry = RetryRecord(used: try row[.retriesUsed], furthest: try row[.furthest])
    job.notBefore = try row[.notBefore]
    job.finishedAt = try row[.finishedAt]
    job.failure = try row.json(.failure)
    job.note = try row[.note]
    job.runner = try row.uuid(.runner)
    job.group = try row.group(.groupId, .groupName)
    if let part: String = try row[.part] { job.part = try wanted(.part, PartGeneration(part)) }
    return job
  }
}
