// Jobs that were removed through the API, while that can be undone.

internal import DrayCore
internal import DrayStore

/// Removed jobs by the tokens that bring them back.
actor RemovedJobs {
  /// The maximum number of jobs: as many as a call can name. The newest stay.
  static let most = AddOrder.mostJobs

  private var jobs: [String: Job] = [:]
  private var order: [String] = []

  /// Keeps removed jobs.
  /// - Returns: The token of each job kept.
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

  /// Removes and returns the job of a token.
  func take(_ token: String) -> Job? {
    guard let job = jobs.removeValue(forKey: token) else { return nil }
    order.removeAll { $0 == token }
    return job
  }

  /// Puts back a job that could not be brought back.
  func putBack(_ job: Job, as token: String) {
    jobs[token] = job
    order.append(token)
  }

  /// Returns the token of the last removal of a job.
  func last(of id: JobID) -> String? { order.last { jobs[$0]?.id == id } }
}
