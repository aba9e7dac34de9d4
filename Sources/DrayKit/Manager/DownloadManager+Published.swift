// Whether the target of a complete job is still as it was published.

internal import DrayEngine

extension DownloadManager {
  /// Whether a file is there as it was published by a job.
  func isAsPublished(_ job: Job, _ name: String, in directory: TargetDirectory) async throws(Failure) -> Bool {
    guard let published = job.published, let found = directory.identity(of: name) else { return false }
    switch found.recognition(of: published) {
    case .same: return true
    case .retimed, .other: return false
    case .renumbered:
      let sums = try await store.sums(of: job.id)
      return try PublishedBytes(sums, job.digest, size: published.size).are(in: name, of: directory)
    }
  }
}
