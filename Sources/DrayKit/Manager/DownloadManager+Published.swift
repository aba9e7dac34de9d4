// Checks whether the target of a complete job is unchanged.

internal import DrayEngine
internal import DrayStore

extension DownloadManager {
  /// Returns whether the published file is still there and unchanged.
  func isAsPublished(_ job: Job, _ name: String, in destination: any Destination) async throws(Failure) -> Bool {
    guard let published = job.published, let found = try destination.identity(of: name) else { return false }
    switch found.recognition(of: published) {
    case .same: return true
    case .retimed, .other: return false
    case .renumbered:
      let sums = try await store.sums(of: job.id)
      return try PublishedBytes(sums, job.digest, size: published.size).are(in: name, of: destination)
    }
  }
}
