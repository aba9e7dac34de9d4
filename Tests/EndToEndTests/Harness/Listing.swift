// Jobs as `dray list --json` tells of them (DESIGN §6).

import Foundation

/// One job of the list; only what tests ask for.
struct ListedJob: Decodable {
  struct Failure: Decodable {
    let message: String
    let httpStatus: Int?
  }

  let id: Int
  let uuid: String
  let url: String
  let finalURL: String?
  let state: String
  let target: String?
  let partFile: String?
  let received: Int64
  let size: Int64?
  let priority: Int
  let digest: String?
  let digestSource: String?
  let error: Failure?
}

extension Sandbox {
  /// The jobs, as another process sees them.
  ///
  /// - Throws: `HarnessError` with the output when it is no list.
  func jobs() async throws -> [ListedJob] {
    let finished = try await dray("list", "--json")
    guard finished.status == 0 else { throw HarnessError("\(finished)") }
    do {
      return try JSONDecoder().decode([ListedJob].self, from: Data(finished.output.utf8))
    } catch {
      throw HarnessError("\(error)\n\(finished)")
    }
  }

  /// The only job.
  ///
  /// - Throws: `HarnessError` when there is none or there are several.
  func onlyJob() async throws -> ListedJob {
    let jobs = try await jobs()
    guard let job = jobs.first, jobs.count == 1 else { throw HarnessError("\(jobs.count) jobs, not one") }
    return job
  }

  /// Waits until the only job is in `state`.
  func waitForState(_ state: String, seconds: Double = 30) async throws {
    try await waitUntil("state \(state)", seconds: seconds, every: 0.1) {
      try await jobs().first?.state == state
    }
  }
}
