// Files that clients deleted together with their jobs, while that can be undone.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// The files that are set aside. The store lists them, too, so that after a kill the next service deletes them.
actor Deletions {
  /// The seconds for which a deletion can be undone. The page offers it for a quarter of that.
  static let patience = 60.0

  private let executor = BlockingExecutor("dray.deletions")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let manager: DownloadManager
  /// The files by the UUIDs of their jobs; later by the tokens of the removals.
  private var files: [String: DeletedFile] = [:]
  /// The tokens of removals whose files are gone.
  private var gone: Set<String> = []

  init(_ manager: DownloadManager) { self.manager = manager }

  /// Sets a job's file aside.
  /// - Returns: The key of the file.
  func setAside(_ job: Job, in directories: AllowedDirectories) async throws(Failure) -> String {
    let file = try DeletedFile(of: job, in: directories)
    let key = job.uuid.uuidString
    files[key] = file
    do throws(Failure) {
      try await record()
    } catch {
      await giveBack(key)
      throw error
    }
    return key
  }

  /// Keeps a file until its removal can no longer be undone.
  func keep(_ key: String, as token: String) {
    files[token] = files.removeValue(forKey: key)
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(Deletions.patience))
      await self?.drop(token)
    }
  }

  /// Gives back a file whose job could not be removed.
  func giveBack(_ key: String) async {
    try? files.removeValue(forKey: key)?.restore()
    try? await record()
  }

  /// Gives the file of a removal its name back.
  /// - Returns: The objection; `nil` if the file is back, or the removal deleted none.
  func restore(_ token: String) async -> Failure? {
    if gone.contains(token) { return Failure(.file, "its file", "it has been deleted for good", recovery: .keep) }
    guard let file = files[token] else { return nil }
    do throws(Failure) {
      try file.restore()
    } catch {
      return error
    }
    files[token] = nil
    try? await record()
    return nil
  }

  func drop(_ key: String) async {
    guard let file = files.removeValue(forKey: key) else { return }
    gone.insert(key)
    file.discard()
    try? await record()
  }

  /// Deletes all files that are set aside, including those of an earlier run.
  func finish() async {
    let text = (try? await manager.jobs.setting(.deletedByClients)) ?? nil
    let earlier = text.flatMap { try? JSONDecoder().decode([DeletedFile].self, from: Data($0.utf8)) } ?? []
    for file in earlier { file.discard() }
    gone.formUnion(files.keys)
    files = [:]
    if !earlier.isEmpty { try? await record() }
  }

  private func record() async throws(Failure) {
    let all = Array(files.values)
    let text = all.isEmpty ? nil : (try? JSONEncoder().encode(all)).map { String(decoding: $0, as: UTF8.self) }
    try await manager.jobs.set(.deletedByClients, to: text)
  }
}
