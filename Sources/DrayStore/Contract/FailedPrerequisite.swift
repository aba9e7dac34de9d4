internal import DrayCore

/// A failed or removed prerequisite, and the failure of the jobs that depend on it.
struct FailedPrerequisite {
  private let id: JobID
  private let kind: Failure.Kind
  private let words: String
  private let advice: Advice?

  init(removed id: JobID) {
    (self.id, kind, words, advice) = (id, .other, "was removed before it was complete", nil)
  }

  /// - Parameters:
  ///   - failure: The failure of the job, in the store's JSON.
  ///   - waits: Whether the job failed because a prerequisite of its own failed.
  init(_ id: JobID, failure: String?, waits: Bool) throws {
    let failure = try failure.map { try JSONColumn<Failure>.value($0) }
    (self.id, kind) = (id, failure?.kind ?? .other)
    if waits {
      // In a chain of prerequisites, report the first failure, so that failures are not nested.
      (words, advice) = ("cannot start", failure?.advice)
    } else {
      words = "failed" + (failure.map { ": \($0.subject): \($0.reason)" } ?? "")
      advice = "\(.retry, id) tries all of them again"
    }
  }

  func failure(of job: JobID, url: String) -> Failure {
    Failure(
      kind, URLRedaction.redacted(url), "it waits for job \(id), which \(words)",
      advice: advice ?? "\(.retry, job) fetches it anyway")
  }
}
