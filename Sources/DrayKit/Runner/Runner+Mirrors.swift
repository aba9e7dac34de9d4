// Jobs with several URLs: which one an attempt asks.

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
}
