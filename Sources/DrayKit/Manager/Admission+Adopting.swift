// Handles requests that repeat a download which took over another program's partial file. The repeated request may name
// the same partial file, another one, or none.

internal import DrayEngine
internal import DrayStore

extension DownloadManager {
  /// Refuses a partial file for a job that already has bytes. Such bytes are worth more, and would be lost if the
  /// partial file has the name of the target.
  func checkAdoption(_ specification: JobSpecification) async throws(Failure) {
    guard let adopted = specification.options.adopts, let job = try await unfinished(specification),
      !job.checkpoint.segments.isEmpty, job.specification.options.adopts?.path != adopted.path
    else { return }
    throw Failure(
      .usage, TextSafety.escaped(adopted.path),
      "it cannot be adopted: job \(job.id) has \(ByteCount.text(job.checkpoint.segments.count)) of this file already",
      advice: "omit \(.adopt) to continue it, or first \(.remove, job.id)")
  }

  /// If a specification has no partial file, adds the one that its job has taken over.
  func takingOver(_ specification: JobSpecification) async throws(Failure) -> JobSpecification {
    guard specification.options.adopts == nil, let job = try await unfinished(specification) else {
      return specification
    }
    var own = specification
    own.options.adopts = job.specification.options.adopts
    return own
  }

  func unfinished(_ specification: JobSpecification) async throws(Failure) -> Job? {
    guard specification.request.isSafe else { return nil }
    let job = try await store.find(specification.key)
    return job.flatMap { $0.state == .complete || $0.state == .failed ? nil : $0 }
  }
}
