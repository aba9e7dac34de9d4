// The store in memory, for every process: adding jobs and reading them.

package import DrayCore
package import DrayStore
package import Foundation

extension MemoryStore {
  // MARK: Adding jobs

  package func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance
  ) throws(Failure) -> [AddedJob] {
    let specifications = Array(specifications)
    return try change { (state) throws(Failure) in
      state.marks.formUnion(marks)
      let added = try state.add(specifications, now: now, seen: seen, entering: entrance)
      if let place = entrance.place {
        try state.move(added.filter { !$0.existing }.map(\.id), to: state.place(place))
      }
      return added
    }
  }

  package func restore(_ jobs: [Job], now: Double) throws(Failure) -> [AddedJob] {
    try change { (state) throws(Failure) in
      var (added, ids): ([AddedJob], [JobID: JobID]) = ([], [:])
      for job in jobs {
        var specification = job.specification
        specification.after = []
        let new = try state.add(
          [specification], now: now, seen: nil, entering: Entrance(paused: job.state == .paused ? [0] : []),
          isApart: job.state.isFinished)
        for one in new where !one.existing && job.state.isFinished { state.end(one.id, as: job) }
        added += new
        ids[job.id] = new.first?.id
      }
      for (job, new) in zip(jobs, added) where !new.existing && !job.state.isFinished {
        let others = job.specification.after.map { ids[$0] ?? $0 }
        try state.wait(new.id, for: others.filter { ![nil, .failed].contains(state.rows[$0]?.job.state) })
      }
      return added
    }
  }

  package func renew(_ id: JobID, with specification: JobSpecification) throws(Failure) -> Bool {
    try change { state in
      guard let before = state.rows[id]?.shown, [.queued, .interrupted, .paused].contains(before.state) else {
        return false
      }
      var specification = specification
      let old = before.specification.options
      if let adopts = old.adopts { specification.options.adopts = adopts.renewed(by: specification.options.adopts) }
      if state.rows[id]?.isRepair == true {
        specification.options.repairs = old.repairs
        if specification.options.digest == nil {
          (specification.options.digest, specification.options.digestSource) = (old.digest, old.digestSource)
        }
        specification.options.pieces = specification.options.pieces ?? old.pieces
      }
      return state.renew(id, specification)
    }
  }

  package func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) throws(Failure) {
    try change { state in
      for (id, specification) in jobs where state.rows[id]?.job.state == .complete && state.renew(id, specification) {
        guard var row = state.rows[id] else { continue }
        row.job.checkpoint.segments = SegmentSet()
        row.job.checkpoint.offered = []
        row.bytesChanged()
        (row.job.state, row.job.digest, row.digestRetries, row.job.retry) = (.queued, nil, 0, RetryRecord())
        (row.job.notBefore, row.waitingSince, row.job.finishedAt, row.job.failure) = (nil, nil, nil, nil)
        (row.job.note, row.job.publishing) = (nil, nil)
        state.rows[id] = row
      }
    }
  }

  // MARK: Reading jobs

  package func job(_ id: JobID) -> Job? { look { $0.rows[id]?.shown } }

  package func job(uuid: UUID) -> Job? { look { $0.sorted { $0.job.uuid == uuid }.first?.shown } }

  package func jobs(ids: [JobID]) -> [Job] { look { state in ids.compactMap { state.rows[$0]?.shown } } }

  package func find(_ download: DownloadKey) -> Job? {
    look { state in
      state.sorted { row in
        var moved = row.job.specification.key
        if row.job.specification.options.askedDirectory == download.directory {
          (moved.directory, moved.target) = (download.directory, download.target)
        }
        if download.target == nil { moved.target = nil }
        return row.isSame(download) || moved == download && row.job.specification.request.isSafe
      }.last?.shown
    }
  }

  package func known(_ urls: [RequestURL]) -> Set<String> {
    look { state in Set(state.rows.values.map(\.job.specification.request.url.string)).intersection(urls.map(\.string))
    }
  }

  package func targetOwner(_ name: String, of download: JobSpecification, besides job: JobID) -> TargetClash? {
    look { $0.targetOwner(name, in: download.directory, at: download.targetServer, besides: job) }
  }

  package func completeJob(named name: String, in directory: String, at server: String?) -> Job? {
    look { state in
      state.sorted { row in
        let specification = row.job.specification
        return row.job.state == .complete && row.job.fileName == name && specification.directory == directory
          && (server == nil || specification.targetServer == server)
      }.max { ($0.job.finishedAt ?? 0, $0.job.id) < ($1.job.finishedAt ?? 0, $1.job.id) }?.shown
    }
  }

  package func summaries(after id: JobID, of choice: JobChoice, limit: Int) -> [JobSummary] {
    look { state in
      state.sorted { row in
        let specification = row.job.specification
        return row.job.id > id && choice.states?.contains(row.job.state) ?? true
          && (choice.queue == nil || specification.queue == choice.queue)
          && (choice.group == nil || row.job.group?.id == choice.group)
          && JobLabel.matches(specification.options.labels, all: choice.labels)
      }.prefix(limit).map(state.summary)
    }
  }

  package func summaries(ids: [JobID]) -> [JobSummary] {
    look { state in ids.compactMap { state.rows[$0].map(state.summary) } }
  }

  package func newest(states: Set<JobState>, idsBeginningWith digits: String, limit: Int) -> [JobSummary] {
    look { state in
      state.sorted { states.contains($0.job.state) && "\($0.job.id)".hasPrefix(digits) }
        .reversed().prefix(limit).map(state.summary)
    }
  }

  package func newestID() -> JobID { look { $0.rows.keys.max() ?? 0 } }

  package func ids(states: Set<JobState>) -> [JobID] {
    look { state in state.sorted { states.contains($0.job.state) }.map(\.job.id) }
  }

  package func groups() -> [StoredGroup] { look(\.groups) }

  package func ids(inGroup group: GroupID, states: Set<JobState>) -> [JobID] {
    look { state in
      state.sorted { $0.job.group?.id == group && states.contains($0.job.state) }.map(\.job.id)
    }
  }

  package func states(of ids: Set<JobID>) -> [JobID: JobState] {
    look { state in ids.reduce(into: [:]) { $0[$1] = state.rows[$1]?.job.state } }
  }

  package func counts(ids: Set<JobID>?) -> [JobState: Int] {
    look { state in
      state.rows.values.filter { ids?.contains($0.job.id) ?? true }.reduce(into: [:]) {
        $0[$1.job.state, default: 0] += 1
      }
    }
  }

  package func present(among states: Set<JobState>) -> Set<JobState> {
    look { state in states.intersection(state.rows.values.map(\.job.state)) }
  }

  package func prerequisites(of id: JobID) -> [JobID] { look { $0.rows[id]?.prerequisites.sorted() ?? [] } }

  package func failedDependents(of id: JobID) -> [Job] {
    look { state in state.failedDependents(of: id).compactMap { state.rows[$0]?.shown } }
  }

  package func attempts(of id: JobID) -> [AttemptRecord] { look { $0.rows[id]?.attempts.map(\.attempt) ?? [] } }

  package func endedAttempts(after mark: Int64) -> (last: Int64, jobs: [JobID: Int]) {
    look { state in
      let counts = state.rows.mapValues { row in row.attempts.count { $0.number > mark } }.filter { $0.value > 0 }
      return (state.lastAttempt, counts)
    }
  }

  package func sums(of id: JobID) -> BlockSums { look { $0.rows[id]?.sums ?? BlockSums() } }

  package func unfinished(among uuids: Set<UUID>) -> Set<UUID> {
    look { state in uuids.intersection(state.rows.values.filter { !$0.job.state.isFinished }.map(\.job.uuid)) }
  }

  package func bodyNames() -> Set<String> { look { Set($0.rows.values.compactMap(\.bodyName)) } }

  package func ownedJobCounts() -> [UUID: Int] {
    look { $0.rows.values.compactMap(\.job.runner).reduce(into: [:]) { $0[$1, default: 0] += 1 } }
  }

  // MARK: Shared by all runs

  package func setting(_ name: StoreSetting) -> String? { look { $0.settings[name.rawValue] } }

  package func set(_ name: StoreSetting, to value: String?) throws(Failure) {
    try change { $0.settings[name.rawValue] = value }
  }

  package func document(_ url: RequestURL) -> StoredDocument? { look { $0.documents[url.string] } }

  package func keep(_ document: StoredDocument) throws(Failure) {
    try change { $0.documents[document.url.string] = document }
  }

  package func feeds() -> [StoredFeed] {
    look { state in
      Dictionary(grouping: state.marks, by: \.feed).sorted { $0.key < $1.key }.map {
        StoredFeed(url: $0.key, entries: $0.value.count)
      }
    }
  }

  package func known(_ guids: [String], in feeds: [String]) -> Set<String> {
    look { state in
      Set(guids.filter { guid in feeds.contains { state.marks.contains(FeedMark(feed: $0, guid: guid)) } })
    }
  }

  package func hstsEntries(now: Double) -> [HSTSEntry] { look { $0.hsts.filter { $0.expiresAt > now } } }

  package func record(hsts entry: HSTSEntry, now: Double) throws(Failure) {
    try change { state in
      state.hsts.removeAll { $0.expiresAt <= now || $0.host == entry.host }
      if entry.expiresAt > now { state.hsts.append(entry) }
    }
  }

  package func altSvcEntries(now: Double) -> [AltSvcEntry] { look { $0.altSvc.filter { $0.expiresAt > now } } }

  package func record(altSvc entry: AltSvcEntry, now: Double) throws(Failure) {
    try change { state in
      state.altSvc.removeAll { $0.expiresAt <= now || $0.origin == entry.origin }
      if entry.expiresAt > now { state.altSvc.append(entry) }
    }
  }

  package func reserveStart(at origin: String, pause: Double, now: Double) throws(Failure) -> Double {
    try change { state in
      let next = PaceRecord.next(after: state.paces[origin], pause: pause, now: now)
      state.paces[origin] = next
      return next.start
    }
  }

  package func helpful(_ count: HelpfulCount, now: Double) -> [String: Int] {
    look { state in
      (state.helpful[count] ?? [:]).filter { now - 86_400 <= $0.value.at && $0.value.at <= now }.mapValues(\.count)
    }
  }

  package func record(_ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double) throws(Failure) {
    try change { $0.helpful[count, default: [:]][origin] = (helpful, now) }
  }
}

extension MemoryRow {
  func isSame(_ download: DownloadKey) -> Bool {
    job.specification.key == download && job.specification.request.isSafe
  }
}

extension MemoryState {
  func summary(_ row: MemoryRow) -> JobSummary {
    let waits = [.queued, .paused, .failed].contains(row.job.state) ? row.prerequisites.sorted() : []
    var summary = JobSummary(row.shown, rank: row.place, waitsFor: waits)
    func text(_ hold: OriginHold?) -> String? {
      hold.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    if [.queued, .interrupted, .paused].contains(row.job.state) { summary.holdText = text(holds[row.origin]) }
    summary.passText = text(row.pass)
    return summary
  }

  mutating func group(_ group: JobGroup, _ now: Double) -> GroupLabel {
    if let known = groups.first(where: { $0.url == group.url.string && $0.directory == group.directory }) {
      return known.label
    }
    lastGroup += 1
    let label = GroupLabel(id: lastGroup, name: group.name)
    groups.append(StoredGroup(label: label, url: group.url.string, directory: group.directory, addedAt: now))
    return label
  }

  mutating func add(
    _ specifications: [JobSpecification], now: Double, seen: Set<JobID>?, entering entrance: Entrance = Entrance(),
    isApart: Bool = false
  ) throws(Failure) -> [AddedJob] {
    var added: [AddedJob] = []
    var byURL = Dictionary(grouping: rows.keys.sorted()) { rows[$0]?.job.specification.request.url.string ?? "" }
    for (index, specification) in specifications.enumerated() {
      let chosen = entrance.uuids[index]
      if let chosen, let same = rows.values.first(where: { $0.job.uuid == chosen }) {
        added.append(AddedJob(id: same.job.id, uuid: chosen, existing: true))
        continue
      }
      let (url, key) = (specification.request.url, specification.key)
      let label = specification.group.map { group($0, now) }
      let same = (byURL[url.string] ?? []).compactMap { rows[$0] }.filter {
        !isApart && specification.request.isSafe && $0.isSame(key)
      }
      if let job = same.last(where: { !$0.job.state.isFinished })?.job {
        added.append(AddedJob(id: job.id, uuid: job.uuid, existing: true))
        try wait(existing: job.id, for: specification.after)
        if let time = specification.startAt, job.state != .active {
          edit(job.id) { ($0.job.specification.startAt, $0.waitingSince) = (time, now) }
        }
        if let window = specification.window { edit(job.id) { $0.job.specification.window = window } }
        if let label, job.group == nil { rows[job.id]?.job.group = label }
        continue
      }
      if let seen, let job = same.last?.job, job.state == .complete, !seen.contains(job.id) {
        added.append(AddedJob(id: job.id, uuid: job.uuid, existing: true))
        continue
      }
      var name = specification.output
      if let output = name {
        name = try freeName(
          output, in: specification.directory, at: specification.targetServer, policy: specification.options.onConflict)
      }
      var wanted = specification
      (wanted.options.repairs, wanted.after, wanted.group) = (nil, [], nil)
      lastJob += 1
      var row = MemoryRow(job: Job(id: lastJob, uuid: chosen ?? UUID(), specification: wanted, addedAt: now))
      row.job.state = entrance.paused.contains(index) ? .paused : .queued
      (row.job.fileName, row.job.group) = (name, label)
      row.waitingSince = wanted.startAt == nil ? nil : now
      row.bodyName = wanted.request.body?.name
      rows[lastJob] = row
      byURL[url.string, default: []].append(lastJob)
      let id = lastJob
      try wait(id, for: specification.after)
      added.append(AddedJob(id: id, uuid: row.job.uuid, existing: false))
    }
    return added
  }

  /// Replaces a job's request and options. The path of its part file stays unless the job is complete.
  mutating func renew(_ id: JobID, _ specification: JobSpecification) -> Bool {
    guard var row = rows[id], row.job.specification.request.url.string == specification.request.url.string else {
      return false
    }
    let (stem, parts) = (row.job.specification.options.partStem, row.job.specification.options.partDirectory)
    row.job.specification.request = specification.request
    row.job.specification.options = specification.options
    if row.job.state != .complete {
      row.job.specification.options.partStem = stem
      row.job.specification.options.partDirectory = parts
    }
    row.job.specification.foreignDepth = specification.foreignDepth
    if specification.priority != 0 { row.job.specification.priority = specification.priority }
    row.job.specification.queue = specification.queue ?? row.job.specification.queue
    if let window = specification.window { row.job.specification.window = window }
    rows[id] = row
    return true
  }

  /// Gives a job the outcome of an ended job.
  mutating func end(_ id: JobID, as job: Job) {
    guard var row = rows[id] else { return }
    let offered = row.job.checkpoint.offered
    row.job.checkpoint = job.checkpoint
    (row.job.checkpoint.offered, row.job.checkpoint.provenance) = (offered, nil)
    (row.job.state, row.job.fileName, row.job.digest, row.job.digestSource) =
      (job.state, job.fileName, job.digest, job.digestSource)
    (row.job.note, row.job.failure, row.job.published, row.job.response) =
      (job.note, job.failure, job.published, job.response)
    (row.job.attempts, row.job.addedAt, row.job.finishedAt) = (job.attempts, job.addedAt, job.finishedAt)
    rows[id] = row
    if job.state == .complete { completed(id) }
  }
}
