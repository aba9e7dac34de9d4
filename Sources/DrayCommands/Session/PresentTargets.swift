// Handles `dray get` for files that already exist, although no job knows them because `dray clean` has forgotten their
// jobs.

internal import DrayKit
internal import DrayStore

/// Compares the existing files of a command line with those on the servers.
struct PresentTargets {
  private let found: [Int: PresentTarget]

  /// The maximum number of jobs whose files are compared. For each of them, a request is sent before anything is
  /// queued.
  private static let most = 64

  init(_ list: SpecificationList, _ manager: DownloadManager) async throws(Failure) {
    var found: [Int: PresentTarget] = [:]
    if list.count <= PresentTargets.most {
      for index in list.indices where list[index].output != nil {
        found[index] = try await manager.presentTarget(of: list[index], hosts: CommandContext.current.hosts)
      }
    }
    self.found = found
  }

  var isEmpty: Bool { found.isEmpty }

  /// The paths of the files that equal those on the servers, in the order of the list.
  var upToDate: [String] {
    found.sorted { $0.key < $1.key }.compactMap { if case .upToDate(let path) = $0.value { path } else { nil } }
  }

  /// Returns the jobs to queue for a part of the list, and how they enter the queue. If an existing file has the same
  /// length as the server's, the received bytes are compared with it.
  func rest(of list: SpecificationList, in part: Range<Int>) -> ([JobSpecification], Entrance) {
    var (jobs, entrance): ([JobSpecification], Entrance) = ([], Entrance())
    for index in part {
      var job = list[index]
      switch found[index] {
      case .upToDate?: continue
      case .sameLength(let size)?:
        job.options.expectedSize = size
        entrance.compared.insert(jobs.count)
      case nil: break
      }
      jobs.append(job)
    }
    return (jobs, entrance)
  }
}
