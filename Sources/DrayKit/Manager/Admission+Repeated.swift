// Handles downloads that a caller requests again with the same UUIDs, because it missed the first answer.

internal import DrayStore
internal import FoundationEssentials

extension DownloadManager {
  /// Returns the jobs that already have the UUIDs, by position.
  func named(_ uuids: [Int: UUID]) async throws(Failure) -> [Int: AddedJob] {
    var found: [Int: AddedJob] = [:]
    for (index, uuid) in uuids {
      guard let job = try await store.job(uuid: uuid) else { continue }
      found[index] = AddedJob(id: job.id, uuid: uuid, existing: true)
    }
    return found
  }
}
