// Downloads that are asked for once more under a name that was chosen: the caller never heard the answer.

internal import DrayStore
internal import FoundationEssentials

extension DownloadManager {
  /// The jobs that have names already which were chosen, by their places.
  func named(_ uuids: [Int: UUID]) async throws(Failure) -> [Int: AddedJob] {
    var found: [Int: AddedJob] = [:]
    for (index, uuid) in uuids {
      guard let job = try await store.job(uuid: uuid) else { continue }
      found[index] = AddedJob(id: job.id, uuid: uuid, existing: true)
    }
    return found
  }
}
