// Jobs that were removed through the API, for as long as that can be taken back.

internal import DrayCore
internal import DrayStore

/// Removed jobs by the tokens that bring them back.
actor RemovedJobs {
  /// The most that are kept: as many as one call can name; the newest stay.
  static let most = AddOrder.mostJobs

  private var jobs: [String: Job] = [:]
  private var order: [String] = []

  /// Keeps jobs as they were.
  /// - Returns: the token of each that is kept.
  func keep(_ removed: [Job]) -> [JobID: String] {
    var tokens: [JobID: String] = [:]
    for job in removed.suffix(RemovedJobs.most) {
      let token = Secret.randomText()
      (jobs[token], tokens[job.id]) = (job, token)
      order.append(token)
    }
    let surplus = order.count - RemovedJobs.most
    if surplus > 0 {
      for token in order.prefix(surplus) { jobs[token] = nil }
      order.removeFirst(surplus)
    }
    return tokens
  }

  /// The job of a token, which is good for one time.
  func take(_ token: String) -> Job? {
    guard let job = jobs.removeValue(forKey: token) else { return nil }
    order.removeAll { $0 == token }
    return job
  }

  /// Puts back what could not be brought back.
  func putBack(_ job: Job, as token: String) {
    jobs[token] = job
    order.append(token)
  }

  /// The token of a job that was removed.
  func last(of id: JobID) -> String? { order.last { jobs[$0]?.id == id } }
}
