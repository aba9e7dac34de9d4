// What users do with jobs, on a thread that may block.

import DrayCore

import struct FoundationEssentials.UUID

extension SQLiteStore {
  nonisolated(nonsending) func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance
  ) async throws(Failure) -> [AddedJob] {
    // The caller waits: it is not used elsewhere meanwhile.
    nonisolated(unsafe) let specifications = AnySequence(specifications)
    return try await run { store throws(Failure) in
      try store.add(specifications, marks: marks, now: now, seen: seen, entering: entrance)
    }
  }

  nonisolated(nonsending) func bringBack(_ jobs: [Job], now: Double) async throws(Failure) -> [AddedJob] {
    try await run { store throws(Failure) in try store.bringBack(jobs, now: now) }
  }

  nonisolated(nonsending) func feeds() async throws(Failure) -> [StoredFeed] {
    try await look { store throws(Failure) in try store.feeds() }
  }

  nonisolated(nonsending) func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.renew(id, with: specification) }
  }

  nonisolated(nonsending) func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure) {
    try await run { store throws(Failure) in try store.recheck(jobs) }
  }

  nonisolated(nonsending) func job(_ id: JobID) async throws(Failure) -> Job? {
    try await look { store throws(Failure) in try store.job(id) }
  }

  nonisolated(nonsending) func job(uuid: UUID) async throws(Failure) -> Job? {
    try await look { store throws(Failure) in try store.job(uuid: uuid) }
  }

  nonisolated(nonsending) func jobs(ids: [JobID]) async throws(Failure) -> [Job] {
    try await look { store throws(Failure) in try store.jobs(ids: ids) }
  }

  nonisolated(nonsending) func find(url: RequestURL, directory: String, output: String?) async throws(Failure) -> Job? {
    try await look { store throws(Failure) in try store.find(url: url, directory: directory, output: output) }
  }

  nonisolated(nonsending) func known(_ urls: [RequestURL]) async throws(Failure) -> Set<String> {
    try await look { store throws(Failure) in try store.known(urls) }
  }

  nonisolated(nonsending) func completeJob(named name: String, in directory: String) async throws(Failure) -> Job? {
    try await look { store throws(Failure) in try store.completeJob(named: name, in: directory) }
  }

  nonisolated(nonsending) func summaries(after id: JobID, states: Set<JobState>?, limit: Int) async throws(Failure)
    -> [JobSummary]
  {
    try await look { store throws(Failure) in try store.summaries(after: id, states: states, limit: limit) }
  }

  nonisolated(nonsending) func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary] {
    try await look { store throws(Failure) in try store.summaries(ids: ids) }
  }

  nonisolated(nonsending) func newestID() async throws(Failure) -> JobID {
    try await look { store throws(Failure) in try store.newestID() }
  }

  nonisolated(nonsending) func ids(states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { store throws(Failure) in try store.ids(states: states) }
  }

  nonisolated(nonsending) func groups() async throws(Failure) -> [StoredGroup] {
    try await look { store throws(Failure) in try store.groups() }
  }

  nonisolated(nonsending) func ids(inGroup group: GroupID, states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { store throws(Failure) in try store.ids(inGroup: group, states: states) }
  }

  nonisolated(nonsending) func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState] {
    try await look { store throws(Failure) in try store.states(of: ids) }
  }

  nonisolated(nonsending) func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int] {
    try await look { store throws(Failure) in try store.counts(ids: ids) }
  }

  nonisolated(nonsending) func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState> {
    try await look { store throws(Failure) in try store.present(among: states) }
  }

  nonisolated(nonsending) func prerequisites(of id: JobID) async throws(Failure) -> [JobID] {
    try await look { store throws(Failure) in try store.prerequisites(of: id) }
  }

  nonisolated(nonsending) func failedDependents(of id: JobID) async throws(Failure) -> [Job] {
    try await look { store throws(Failure) in try store.failedDependents(of: id) }
  }

  nonisolated(nonsending) func attempts(of id: JobID) async throws(Failure) -> [Attempt] {
    try await look { store throws(Failure) in try store.attempts(of: id) }
  }

  nonisolated(nonsending) func endedAttempts(after mark: Int64) async throws(Failure) -> (
    last: Int64, jobs: [JobID: Int]
  ) {
    try await look { store throws(Failure) in try store.endedAttempts(after: mark) }
  }

  nonisolated(nonsending) func sums(of id: JobID) async throws(Failure) -> BlockSums {
    try await look { store throws(Failure) in try store.sums(of: id) }
  }

  nonisolated(nonsending) func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID> {
    try await look { store throws(Failure) in try store.unfinished(among: uuids) }
  }

  nonisolated(nonsending) func bodyNames() async throws(Failure) -> Set<String> {
    try await look { store throws(Failure) in try store.bodyNames() }
  }

  nonisolated(nonsending) func activeRunners() async throws(Failure) -> Set<UUID> {
    try await look { store throws(Failure) in try store.activeRunners() }
  }

  nonisolated(nonsending) func changeMark() async throws(Failure) -> ChangeMark {
    try await look { store throws(Failure) in try store.changeMark() }
  }

  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    looking.observeChanges(handler)
  }

  nonisolated(nonsending) func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await run { store throws(Failure) in try store.pause(ids) }
  }

  nonisolated(nonsending) func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await run { store throws(Failure) in try store.resume(ids) }
  }

  nonisolated(nonsending) func retry(_ ids: [JobID], with specifications: [JobID: JobSpecification])
    async throws(Failure) -> [(id: JobID, result: ControlResult)]
  {
    try await run { store throws(Failure) in try store.retry(ids, with: specifications) }
  }

  nonisolated(nonsending) func remove(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await run { store throws(Failure) in try store.remove(ids) }
  }

  nonisolated(nonsending) func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult {
    try await run { store throws(Failure) in
      try store.setURL(id, url, keepingCredentials: keepingCredentials, completing: completing)
    }
  }

  nonisolated(nonsending) func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await run { store throws(Failure) in try store.move(ids, to: place) }
  }

  nonisolated(nonsending) func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.setRateLimit(rate, of: id) }
  }

  nonisolated(nonsending) func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.record(digest, of: id) }
  }

  nonisolated(nonsending) func forgetFinished(before: Double?) async throws(Failure) -> Int {
    try await run { store throws(Failure) in try store.forgetFinished(before: before) }
  }

  nonisolated(nonsending) func holds(now: Double) async throws(Failure) -> [OriginHold] {
    try await look { store throws(Failure) in try store.holds(now: now) }
  }

  nonisolated(nonsending) func endHolds(of origins: [String]) async throws(Failure) {
    try await run { store throws(Failure) in try store.endHolds(of: origins) }
  }

  nonisolated(nonsending) func askAtOnce(_ ids: [JobID], now: Double) async throws(Failure) -> [HeldJobs] {
    try await run { store throws(Failure) in try store.askAtOnce(ids, now: now) }
  }

  nonisolated(nonsending) func setting(_ name: StoreSetting) async throws(Failure) -> String? {
    try await look { store throws(Failure) in try store.setting(name) }
  }

  nonisolated(nonsending) func set(_ name: StoreSetting, to value: String?) async throws(Failure) {
    try await run { store throws(Failure) in try store.set(name, to: value) }
  }

  nonisolated(nonsending) func document(_ url: RequestURL) async throws(Failure) -> StoredDocument? {
    try await look { store throws(Failure) in try store.document(url) }
  }

  nonisolated(nonsending) func keep(_ document: StoredDocument) async throws(Failure) {
    try await run { store throws(Failure) in try store.keep(document) }
  }

  nonisolated(nonsending) func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String> {
    try await look { store throws(Failure) in try store.known(guids, in: feeds) }
  }

  nonisolated(nonsending) func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry] {
    try await look { store throws(Failure) in try store.hstsEntries(now: now) }
  }

  nonisolated(nonsending) func record(hsts entry: HSTSEntry, now: Double) async throws(Failure) {
    try await run { store throws(Failure) in try store.record(hsts: entry, now: now) }
  }

  nonisolated(nonsending) func altSvcEntries(now: Double) async throws(Failure) -> [AltSvcEntry] {
    try await look { store throws(Failure) in try store.altSvcEntries(now: now) }
  }

  nonisolated(nonsending) func record(altSvc entry: AltSvcEntry, now: Double) async throws(Failure) {
    try await run { store throws(Failure) in try store.record(altSvc: entry, now: now) }
  }

  nonisolated(nonsending) func helpful(_ count: HelpfulCount, now: Double) async throws(Failure) -> [String: Int] {
    try await look { store throws(Failure) in try store.helpful(count, now: now) }
  }

  nonisolated(nonsending) func record(_ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double)
    async throws(Failure)
  {
    try await run { store throws(Failure) in try store.record(helpful, count, of: origin, now: now) }
  }
}
