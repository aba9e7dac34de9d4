// Gives an attempt its cookies, and stores the cookies afterwards.
//
// Persistent cookies go into dray's own jar, which all jobs share, like the windows of a browser. Session cookies
// belong to one job. They last for all attempts of the job, in any runner, and end when the job is complete.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials

/// The cookies for the attempts at a request. The calls block the calling thread.
struct CookieKeeper: Sendable {
  /// The state directory, which contains dray's own jar; `nil` for none.
  let home: StateDirectory?
  /// The store, which contains the session cookies of jobs.
  let store: (any JobStoring)?
  /// dray's own jar, if it was read once for several attempts.
  private var own: CookieList?

  init(home: StateDirectory?, store: (any JobStoring)?) { (self.home, self.store) = (home, store) }

  /// Returns a keeper for attempts that are planned together; it reads dray's own jar only once.
  func forMany() throws(Failure) -> CookieKeeper {
    var keeper = self
    keeper.own = try home.map { home throws(Failure) in try CookieJar(in: home).read() }
    return keeper
  }

  /// Returns the cookies to start with, as lines in the Netscape format. If a cookie occurs several times, the last one
  /// counts. The order is: dray's own jar, a browser, files, the job's session.
  /// - Throws: Kind `file` for a user's file that cannot be read.
  func given(for request: TransferRequest, job: JobID? = nil) async throws(Failure) -> [String] {
    let lines = try givenAtFirst(for: request)
    guard let job, let store else { return lines }
    return lines + (try await store.sessionCookies(job))
  }

  /// Returns the cookies for the first attempt of a job, which has no session yet.
  /// - Throws: Kind `file` for a user's file that cannot be read.
  func givenAtFirst(for request: TransferRequest) throws(Failure) -> [String] {
    let options = request.cookies ?? CookieOptions()
    var lines: [String] = []
    if let home, options.ignoresOwnJar != true {
      let jar = if let own { own } else { try CookieJar(in: home).read() }
      lines += jar.cookies.map(\.line)
    }
    lines += options.taken ?? []
    for file in options.files ?? [] { lines += try CookieJar.read(file).cookies.map(\.line) }
    return lines
  }

  /// Stores the changed cookies.
  /// - Parameters:
  ///   - report: The transfer's report; `nil` if it had no cookies.
  ///   - holder: The runner that owns the job.
  ///   - isOver: Whether the file is complete, which ends the job's session.
  func keep(
    _ report: CookieReport?, of request: TransferRequest, job: JobID? = nil, holder: UUID? = nil, isOver: Bool
  ) async throws(Failure) {
    guard let report else { return }
    let options = request.cookies ?? CookieOptions()
    let before = report.before.compactMap { Cookie(line: $0) }
    let after = report.after.compactMap { Cookie(line: $0) }
    let changes = CookieChanges(from: before, to: after)
    let lasts = { (cookie: Cookie) in cookie.expires != nil && options.ignoresOwnJar != true }
    let lasting = changes.changed.filter(lasts)
    let passing = changes.changed.filter { !lasts($0) }

    if let job, let store, let holder {
      let old = try await store.sessionCookies(job)
      var session = CookieList(old.compactMap { Cookie(line: $0) })
      session.apply(CookieChanges(changed: passing, removed: changes.removed.union(lasting.map(\.key))))
      let lines = isOver ? [] : session.cookies.map(\.line)
      if lines != old { try await store.record(sessionCookies: lines, of: job, runner: holder) }
    }
    if let home, options.ignoresOwnJar != true, !changes.isEmpty {
      let own = CookieChanges(changed: lasting, removed: changes.removed.union(passing.map(\.key)))
      try CookieJar(in: home).change { $0.apply(own) }
    }
    if let jar = options.jar { try write(after, changes, options, to: jar) }
  }

  /// Writes the cookies of the job's files and of the job to the user's file, but not cookies that only dray's own jar
  /// had.
  private func write(
    _ after: [Cookie], _ changes: CookieChanges, _ options: CookieOptions, to path: String
  ) throws(Failure) {
    var wanted = Set(changes.changed.map(\.key))
    var given = options.taken?.compactMap { Cookie(line: $0) } ?? []
    for file in options.files ?? [] { given += try CookieJar.read(file).cookies }
    wanted.formUnion(given.map(\.key))
    let changed = after.filter { wanted.contains($0.key) }
    try CookieJar(path: path).change {
      $0.apply(CookieChanges(changed: changed, removed: changes.removed))
    }
  }
}
