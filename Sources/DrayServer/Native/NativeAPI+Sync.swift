// Fetches the files that a manifest lists, as `dray sync` does. Where `dray sync` waits for the files, a client repeats
// the call; the answer contains the lock once all files are right.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayWire
internal import WebServer

extension NativeAPI {
  /// Compares a directory with a manifest, and adds jobs for the files that are missing or differ.
  func sync(_ order: SyncOrder) async throws(APIFailure) -> WebResponse {
    let (written, lock) = try order.documents()
    let base = resolved(order.directory)
    guard let allowed = settings.rule.directories.place(base) else { throw NativeAPI.forbidden(directory: base) }
    let access = settings.rule.directories.access
    let place = DirectoryPlace(allowed.path, foreignDepth: allowed.foreignDepth, access: access)
    let manifest = try await resolved(written, lock, order.isLocked ? .locked : .usual)
    let set = try await trying { () async throws(Failure) in
      try await SyncSet.compare(manifest, lock, in: place, order.isLocked ? .locked : .usual, manager)
    }
    let wanted = set.wanted
    if !order.isTrial { try NativeAPI.checkCount(wanted.count) }
    var ids: [String: JobID] = [:]
    if !order.isTrial {
      if let refusal = SyncRefusal.first(set, isLocked: order.isLocked) { throw refusal }
      let jobs = try wanted.map { (item) throws(APIFailure) in
        try prepared(try NativeAPI.specification(item, isLocked: order.isLocked))
      }
      // Files that are already right get their links and entries again, so their places are judged like those of new
      // jobs (P22).
      for item in set.arranged {
        _ = try prepared(try NativeAPI.specification(item, isLocked: order.isLocked), looksUpHost: false)
      }
      try await trying { () async throws(Failure) in try await manager.prepare(set) }
      let added = jobs.isEmpty ? [] : try await admit(jobs, key: nil)
      for (item, answer) in zip(wanted, added) { ids[item.file.target] = answer.id }
    }
    // Files that only the old lock lists do not prevent a new lock, unless all files must match the lock.
    let isRight =
      set.items.allSatisfy { $0.decision == .right || $0.isLeftOut } && (set.surplus.isEmpty || !order.isLocked)
    let text = isRight ? try await trying { () async throws(Failure) in try await set.lock(manager).text } : nil
    return NativeAPI.json { DocumentJSON.write(set, ids: ids, lock: text, to: &$0) }
  }

  private static func specification(_ item: SyncSet.Item, isLocked: Bool) throws(APIFailure) -> JobSpecification {
    let shown = TextSafety.escaped(item.file.target)
    guard let url = item.file.urls.first else { throw .bad("\(shown) has no URL") }
    _ = try RequestFieldLine.fields(item.file.headers.map { "\($0.name): \($0.value)" }, of: shown)
    var job = JobSpecification(request: TransferRequest(url: url), directory: item.directory)
    item.apply(to: &job, isLocked: isLocked)
    return job
  }
}

/// Refuses the actions that dray must not carry out for a client.
enum SyncRefusal {
  /// Returns the first objection; `nil` if the set is permitted. For a client, dray replaces only files that it
  /// published itself, even if the lock lists other files.
  static func first(_ set: SyncSet, isLocked: Bool) -> APIFailure? {
    for item in set.items {
      switch item.decision {
      case .right, .fetch(replacing: false), .leftOut: continue
      case .fetch(replacing: true):
        if !item.isPublished { return refusal(item.file.target, "it exists, and is not as dray put it there") }
      case .conflict(let reason), .differs(let reason): return refusal(item.file.target, reason)
      }
    }
    return isLocked ? set.surplus.first.map { refusal($0, "it is in the lock, but not in the manifest") } : nil
  }

  private static func refusal(_ target: String, _ reason: String) -> APIFailure {
    APIFailure(
      409, .conflict, "\(TextSafety.escaped(target)): \(reason)", advice: "\"dryRun\":true shows the obstacles"
    )
  }
}
