package import DrayCore
internal import DrayEngine
internal import DrayStore
internal import Posix
internal import Synchronization
internal import Threads

/// The shares of a store that several machines use. Some of them are used on this machine; others are left to other
/// machines because they do not work here. A share is examined before its first job, at intervals while it is used,
/// after a failure on it, and repeatedly while it does not work. The object is thread-safe.
final class Shares: Sendable {
  private struct Share {
    /// The identity of the directory when the share was last found good.
    var node: FileNode?
    /// Whether the directory's mark has proved that this is the share.
    var isProved = false
    /// The reason why the share is not used; `nil` if it is used, or if nothing is known.
    var refusal: Failure?
    /// Whether the share was found good.
    var isGood: Bool { refusal == nil && lookedAt > -.infinity }
    var lookedAt = -Double.infinity
    /// The number of looks since the share last worked for a while, the time of the next look, and the time since which
    /// the share works again.
    var (looks, nextLook, backAt) = (0, 0.0, -Double.infinity)
    var free: Int64?
    /// The free space when the share was found full, and whether a write has failed.
    var (freeThen, hasFailed): (Int64?, Bool) = (nil, false)
    /// Whether a job has needed the share. If so, people must be told about its failure, and jobs on the share are not
    /// claimed.
    var isWanted = false
    /// Whether the share is being examined, and whether the thread of a look was abandoned.
    var (isLooking, isStuck) = (false, false)
  }

  private struct State {
    /// The marks that the store knows, and the time at which they were read.
    var (marks, readAt): ([String: String], Double) = ([:], -.infinity)
    var shares: [String: Share] = [:]
    /// The number of times that each job was handed back although its share was found good.
    var benefits: [JobID: Int] = [:]

    func root(of path: String, _ rule: TargetReach) -> String? {
      let roots = [Array(marks.keys), rule.shared, Array(shares.keys)].joined()
      return TargetReach.lowest(of: roots, containing: path)
    }
  }

  private let rule: TargetReach
  private let store: any JobStoring
  private let state = Mutex(State())

  /// The seconds between two looks at a share that works, and the seconds after which a job must wait for a new look.
  private static let (lookInterval, trust) = (15.0, 60.0)

  init(_ rule: TargetReach, _ store: any JobStoring) { (self.rule, self.store) = (rule, store) }

  private func paths(of place: DirectoryPlace) -> [String] {
    rule.allowsLocal ? [] : [place.path, place.parts].compactMap(\.self).filter { $0.hasPrefix("/") }
  }

  // MARK: What is known

  /// The directories that are not used now although jobs need them.
  var refused: [String] { refusals.map(\.subject) }

  /// The reasons why these directories are not used, ordered by path.
  var refusals: [Failure] {
    state.withLock { state in
      state.shares.values.compactMap { $0.isWanted ? $0.refusal : nil }.sorted { $0.subject < $1.subject }
    }
  }

  /// The reason why a place is not used now; `nil` if it is used, or if nothing is known.
  func refusal(of place: DirectoryPlace) -> Failure? {
    state.withLock { state in
      for path in paths(of: place) {
        if let refusal = state.root(of: path, rule).flatMap({ state.shares[$0]?.refusal }) { return refusal }
      }
      return nil
    }
  }

  /// Whether a job may start on a place without another look.
  func isGood(_ place: DirectoryPlace) -> Bool {
    let oldest = SteadyClock.now() - Shares.trust
    return state.withLock { state in
      paths(of: place).allSatisfy { path in
        guard let share = state.root(of: path, rule).flatMap({ state.shares[$0] }) else { return false }
        return share.isGood && share.lookedAt > oldest
      }
    }
  }

  /// Returns whether a mark proves that a path is on a share. Throws if the path now leads somewhere else. The call may
  /// wait for the file system.
  func prove(_ path: String) throws(Failure) -> Bool {
    guard !rule.allowsLocal else { return false }
    let (root, share) = state.withLock { state in
      let root = state.root(of: path, rule)
      return (root, root.flatMap { state.shares[$0] })
    }
    guard let root, let share else { return false }
    if let refusal = share.refusal { throw refusal }
    guard share.isProved, let node = share.node else { return false }
    guard let now = try? System.node(root), now.isSame(as: node) else {
      throw Failure(
        .file, path, "another file system is mounted there now", advice: "mount the share, then \(.run) continues",
        recovery: .wait
      ).ofStorage(.moved)
    }
    return true
  }

  /// The shares that were examined, ordered by their paths.
  var known: [ShareState] {
    state.withLock { state in
      state.shares.map { ShareState(path: $0, isProved: $1.isProved, refusal: $1.refusal) }.sorted { $0.path < $1.path }
    }
  }

  // MARK: Looking

  /// Examines the shares that contain a place, unless that was done recently.
  /// - Parameter isChosen: Whether jobs are being added, so that a share may get its mark.
  /// - Throws: Kind `file` if this machine must leave the place to other machines; kind `store`.
  func admit(_ place: DirectoryPlace, isChosen: Bool = false) async throws(Failure) {
    for path in paths(of: place) {
      var root = state.withLock { $0.root(of: path, rule) }
      if root == nil {
        // The job and its share may have been added after the marks were read.
        try await readMarks(isNew: true)
        root = state.withLock { $0.root(of: path, rule) }
      }
      if root == nil { root = await mountPoint(path) }
      // The place is not on a share, so the kind of its file system decides (``TargetReach``).
      guard let root else { continue }
      if isChosen {
        try await look(root, for: path)
        continue
      }
      let share = state.withLock { state in
        state.shares[root, default: Share()].isWanted = true
        return state.shares[root] ?? Share()
      }
      if let refusal = share.refusal { throw refusal }
      if share.isGood, share.lookedAt > SteadyClock.now() - Shares.trust { continue }
      try await look(root)
    }
  }

  /// Examines all shares that the store knows or the user names, unless that was done recently.
  func lookAtAll() async throws(Failure) {
    guard !rule.allowsLocal else { return }
    try await readMarks()
    let oldest = SteadyClock.now() - Shares.lookInterval
    let roots = state.withLock { state in
      Set(state.marks.keys).union(rule.shared).filter { state.shares[$0]?.lookedAt ?? -.infinity < oldest }
    }
    await withTaskGroup(of: Void.self) { group in
      for root in roots { group.addTask { try? await self.look(root) } }
    }
  }

  /// Starts the looks that are due.
  func beat() {
    let now = SteadyClock.now()
    let due = state.withLock { state in
      state.shares.filter { _, share in
        !share.isLooking && !share.isStuck
          && now >= (share.refusal == nil ? share.lookedAt + Shares.lookInterval : share.nextLook)
      }.keys
    }
    for root in due { Task { try? await self.look(root) } }
  }

  /// Decides whether this machine is to blame for a job's failure. If it is, the share is left to other machines,
  /// unless the share is found good.
  /// - Returns: Why the job is handed back, or a failure of the store; `nil` if the failure is the job's own.
  func judge(_ failure: Failure, of job: Job) async -> Failure? {
    guard failure.kind == .file else { return nil }
    // When claims leave jobs to other machines, they compare only the stored directories.
    let roots = state.withLock { state in
      Set(paths(of: job.specification.place).compactMap { state.root(of: $0, rule) })
    }
    for root in roots {
      let share = state.withLock { state in
        state.shares[root]?.isWanted = true
        return state.shares[root]
      }
      if let refusal = share?.refusal { return refusal }
      if failure.storage == nil, let share, share.lookedAt > SteadyClock.now() - 1 { continue }
      do throws(Failure) { try await look(root) } catch { return error }
    }
    return state.withLock { state in
      guard let storage = failure.storage, let root = state.root(of: failure.subject, rule), roots.contains(root),
        let free = state.shares[root].map(\.free)
      else { return nil }
      let fault: ShareFault?
      switch storage {
      case .short where free ?? .max >= ShareRule.scarce: return nil
      case .short, .full: fault = .full
      case .readOnly: fault = .readOnly
      case .broken: fault = .broken(failure.reason)
      case .moved: fault = nil
      }
      if state.benefits.count > 10_000 { state.benefits = [:] }
      state.benefits[job.id, default: 0] += 1
      // The share may be good for other files, so the failure belongs to this file alone.
      guard storage == .short || state.benefits[job.id, default: 0] <= ShareRule.benefits else { return nil }
      guard let fault else { return failure }
      Shares.refuse(root, fault.failure(root), &state, now: SteadyClock.now())
      state.shares[root]?.hasFailed = true
      if fault == .full { state.shares[root]?.freeThen = free ?? 0 }
      return state.shares[root]?.refusal
    }
  }

  private func readMarks(isNew: Bool = false) async throws(Failure) {
    let now = SteadyClock.now()
    guard isNew || state.withLock({ now - $0.readAt > 0.5 }) else { return }
    let marks = try await store.shares()
    state.withLock { ($0.marks, $0.readAt) = (marks, now) }
  }

  /// Returns the mount point of a path's file system if machines can share that file system; otherwise, and if it does
  /// not answer, `nil`.
  private func mountPoint(_ path: String) async -> String? {
    let mount = await ShareLook.timed {
      try? System.mount(path)
    } ended: { _ in
    }
    guard let mount = mount.flatMap(\.self), FileSystemKind.isShared(mount.kind) else { return nil }
    return mount.point
  }

  /// Examines a share, or waits for the look in progress.
  /// - Parameter chosen: The directory of the jobs that are being added, if any.
  /// - Throws: The reason why the share is not used; kind `store`.
  private func look(_ root: String, for chosen: String? = nil) async throws(Failure) {
    let begins = state.withLock { state in
      let share = state.shares[root] ?? Share()
      state.shares[root] = share
      if !share.isLooking, !share.isStuck { state.shares[root]?.isLooking = true }
      return !share.isLooking && !share.isStuck
    }
    guard begins else {
      let end = SteadyClock.now() + ShareRule.patience
      while state.withLock({ state in
        state.shares[root].map { $0.isLooking || $0.isStuck && chosen != nil } ?? false
      }), SteadyClock.now() < end {
        try? await Task.sleep(for: .milliseconds(20))
      }
      if let refusal = state.withLock({ $0.shares[root]?.refusal }) { throw refusal }
      // Only a call that adds jobs creates the mark.
      guard chosen != nil else { return }
      guard SteadyClock.now() < end else { throw ShareFault.silent.failure(root) }
      return try await look(root, for: chosen)
    }
    defer { state.withLock { $0.shares[root]?.isLooking = false } }
    try await readMarks()
    let before = state.withLock { $0.shares[root] ?? Share() }
    let found = await timed(root) {
      ShareLook.at(root, then: before.freeThen, tries: before.hasFailed)
    }
    let seen = found ?? ShareLook(sight: .silent)
    let known = state.withLock { $0.marks[root] }
    switch ShareRule.decide(seen.sight, known: known, isChosen: chosen != nil) {
    case .use: accept(root, seen, isProved: known != nil)
    case .refuse(let fault): try refuse(root, fault, seen)
    case .adopt(let mark): try await enter(mark, root, seen)
    case .mark:
      var directory = root
      while true {
        let answer = await timed(root, within: ShareRule.markPatience) { [directory] in Shares.marked(directory) }
        // Without a mark, a machine could not tell the share from the empty directory in which it is mounted.
        guard let answer else { try refuse(root, .silent, seen) }
        if let mark = answer { return try await enter(mark, directory, directory == root ? seen : nil) }
        // If this user cannot create files in the top directory of the share, try the directory below it.
        guard let chosen, let lower = Shares.step(from: directory, to: chosen) else { break }
        directory = lower
      }
      accept(root, seen, isProved: false)
    }
  }

  private static func marked(_ directory: String) -> String? { try? ShareLook.makeMark(in: directory) }

  /// Returns the directory one level below another one, on the way to a path; `nil` if the path has no further level.
  private static func step(from directory: String, to path: String) -> String? {
    let start = directory.hasSuffix("/") ? directory : directory + "/"
    guard path.hasPrefix(start), path != start else { return nil }
    let next = start + path.dropFirst(start.count).prefix { $0 != "/" }
    return System.kind(next) == .directory ? next : nil
  }

  private func timed<Value: Sendable>(
    _ root: String, within seconds: Double = ShareRule.patience, _ body: @escaping @Sendable () -> Value
  ) async -> Value? {
    state.withLock { $0.shares[root]?.isStuck = true }
    return await ShareLook.timed(within: seconds, body) { [weak self] isLate in
      self?.state.withLock { state in
        state.shares[root]?.isStuck = false
        if isLate { state.shares[root]?.nextLook = 0 }
      }
    }
  }

  // MARK: Verdicts

  /// Records the mark of a share in the store. If the store already has one, that mark stays.
  private func enter(_ mark: String, _ root: String, _ seen: ShareLook?) async throws(Failure) {
    let known = try await store.enter(share: root, mark: mark)
    state.withLock { $0.marks[root] = known }
    guard known == mark else { try refuse(root, .other(wanted: known), seen) }
    if let seen { accept(root, seen, isProved: true) } else { try await look(root) }
  }

  private func accept(_ root: String, _ seen: ShareLook, isProved: Bool) {
    let now = SteadyClock.now()
    state.withLock { state in
      guard var share = state.shares[root] else { return }
      if share.refusal != nil { share.backAt = now }
      (share.refusal, share.node, share.free, share.isProved) = (nil, seen.node, seen.free, isProved)
      (share.lookedAt, share.freeThen, share.hasFailed) = (now, nil, false)
      state.shares[root] = share
    }
  }

  private func refuse(_ root: String, _ fault: ShareFault, _ seen: ShareLook?) throws(Failure) -> Never {
    let failure = fault.failure(root)
    state.withLock { state in
      state.shares[root]?.free = seen?.free
      Shares.refuse(root, failure, &state, now: SteadyClock.now())
    }
    throw failure
  }

  private static func refuse(_ root: String, _ failure: Failure, _ state: inout State, now: Double) {
    guard var share = state.shares[root] else { return }
    if share.refusal == nil, now - share.backAt > ShareRule.recovery { share.looks = 0 }
    share.nextLook = now + ShareRule.interval(looks: share.looks)
    share.looks += 1
    (share.refusal, share.lookedAt) = (failure, now)
    state.shares[root] = share
  }
}

/// A share as this machine sees it.
package struct ShareState: Sendable, Equatable {
  /// The top directory of the share.
  package var path: String
  /// Whether the mark proves that this is the share that the jobs mean.
  package var isProved: Bool
  /// The reason why this machine does not use the share; `nil` if it does.
  package var refusal: Failure?

  package init(path: String, isProved: Bool, refusal: Failure?) {
    (self.path, self.isProved, self.refusal) = (path, isProved, refusal)
  }
}
