// Keeps the files that clients deleted together with their jobs, for as long as the deletion can be undone.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// The files of deleted jobs. They have another name until they are really deleted. The store lists these files as
/// well, so that after a crash of the service the next one deletes them.
actor Deletions {
  /// The number of seconds for which a deletion can be undone. The page offers to undo it for a quarter of that time.
  static let patience = 60.0

  private let executor = BlockingExecutor("dray.deletions")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let manager: DownloadManager
  /// The files by key: first the UUID of the job, later the token that undoes the removal.
  private var files: [String: DeletedFile] = [:]
  /// The tokens of removals whose files are already deleted.
  private var gone: Set<String> = []

  init(_ manager: DownloadManager) { self.manager = manager }

  /// Sets the file of a job aside: the file gets another name until it is deleted.
  /// - Returns: The key under which the file is kept here.
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

  /// Keeps a file until the removal of its job can no longer be undone.
  func keep(_ key: String, as token: String) {
    files[token] = files.removeValue(forKey: key)
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(Deletions.patience))
      await self?.drop(token)
    }
  }

  /// Undoes ``setAside(_:in:)`` for a file whose job could not be removed.
  func giveBack(_ key: String) async {
    try? files.removeValue(forKey: key)?.restore()
    try? await record()
  }

  /// Gives the file of a removed job its former name again.
  /// - Returns: The reason why that is impossible; `nil` if the file has its name again, or if the removal deleted no
  ///   file.
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

  /// Deletes all files that are set aside, including those that an earlier run of the service left.
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
