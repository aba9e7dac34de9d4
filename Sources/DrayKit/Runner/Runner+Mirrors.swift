// Jobs with several URLs: which one an attempt asks, and what follows when it fails.

internal import DrayEngine
internal import Foundation

extension Runner {
  /// The job as this attempt does it: at the URL whose turn it is.
  func placed(_ job: Job) -> Job {
    let all = job.specification.options.mirrors ?? []
    guard !all.isEmpty else { return job }
    var placed = job
    if let turn = mirrors[job.id]?.current, turn > 0, all.indices.contains(turn - 1) {
      placed.specification.request = job.specification.request.moved(to: all[turn - 1])
      placed.ownRequest = job.specification.request
      placed.ownName = FileName.fromURLPath(job.specification.request.url.path)
    }
    let source = job.response.map { $0.redirects.first ?? $0.finalURL.string }
    placed.checkpoint = MirrorChoice.checkpoint(
      job.checkpoint, isOfOther: source.map { $0 != placed.specification.request.url.string } ?? false,
      job.specification.options)
    return placed
  }

  /// Makes it the next mirror's turn, if one may do better.
  /// - Parameter reached: the furthest position that the attempt wrote.
  /// - Returns: the failure for the retry policy; `nil` if another URL is asked at once.
  func turn(_ job: Job, _ failure: Failure, reached: Int64) -> Failure? {
    guard let count = job.specification.options.mirrors?.count, count > 0 else { return failure }
    var choice = mirrors[job.id] ?? MirrorChoice(count: count + 1)
    let verdict = choice.after(failure, hasNewGround: reached >= job.retry.furthest + RetryPolicy.newGround)
    mirrors[job.id] = choice
    switch verdict {
    case .decide(let told):
      return told
    case .ask:
      var told = failure
      told.reason += "; trying another of its URLs"
      emit(job.id, .retrying(told, delay: 0))
      return nil
    }
  }

  /// Puts a job back into the queue, to be asked for at another URL; its bytes are kept.
  func askElsewhere(_ job: Job, _ failure: Failure, kept: Int64, _ transfer: Transfer?) async throws(Failure) {
    let attempt = ending(job, "mirror failed", failure, last: kept)
    guard try await queueAgain(job, job.retry.reaching(kept), failure, attempt, wish: .comesFirst) else {
      return await overtaken(job, transfer)
    }
    leave(job.id)
  }
}
