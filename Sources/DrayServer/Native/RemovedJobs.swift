// The jobs that clients removed through the API, for as long as a removal can be undone.

internal import DrayCore
internal import DrayStore

struct RemovedJob: Sendable {
  var job: Job
  var place = FormerPlace()
}

/// The place of a removed job among the waiting jobs of its priority.
struct FormerPlace: Sendable, Hashable {
  /// The number of waiting jobs that were before it.
  var index = 0
  /// The nearest job after it and the nearest job before it that were not removed in the same call.
  var next: JobID?
  var previous: JobID?

  /// Returns the places of the jobs that are about to be removed.
  /// - Parameter waiting: The waiting jobs in order, with their priorities.
  static func all(of removed: Set<JobID>, among waiting: [(id: JobID, priority: Int)]) -> [JobID: FormerPlace] {
    var places: [JobID: FormerPlace] = [:]
    var last: (id: JobID, priority: Int)?
    for (index, job) in waiting.enumerated() {
      if removed.contains(job.id) {
        places[job.id] = FormerPlace(index: index, previous: last?.priority == job.priority ? last?.id : nil)
      } else {
        last = job
      }
    }
    last = nil
    for job in waiting.reversed() {
      if removed.contains(job.id) {
        places[job.id]?.next = last?.priority == job.priority ? last?.id : nil
      } else {
        last = job
      }
    }
    return places
  }
}

/// Removed jobs, each with the token that brings it back.
actor RemovedJobs {
  /// The maximum number of jobs: as many as one call can name. If there are more, those removed last are kept.
  static let most = AddOrder.mostJobs

  private var jobs: [String: RemovedJob] = [:]
  private var order: [String] = []

  /// Keeps jobs that were removed.
  /// - Returns: The token for each job that is kept.
  func keep(_ removed: [RemovedJob]) -> [JobID: String] {
    var tokens: [JobID: String] = [:]
    for one in removed.suffix(RemovedJobs.most) {
      let token = Secret.randomText()
      (jobs[token], tokens[one.job.id]) = (one, token)
      order.append(token)
    }
    let surplus = order.count - RemovedJobs.most
    if surplus > 0 {
      for token in order.prefix(surplus) { jobs[token] = nil }
      order.removeFirst(surplus)
    }
    return tokens
  }

  func take(_ token: String) -> RemovedJob? {
    guard let job = jobs.removeValue(forKey: token) else { return nil }
    order.removeAll { $0 == token }
    return job
  }

  /// Keeps a job again after an attempt to restore it has failed.
  func putBack(_ job: RemovedJob, as token: String) {
    jobs[token] = job
    order.append(token)
  }

  func last(of id: JobID) -> String? { order.last { jobs[$0]?.job.id == id } }
}
