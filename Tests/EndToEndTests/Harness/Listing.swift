// Jobs as printed by `dray list --json` and `dray show --json`.

import Foundation

/// A job of the list, with the fields that tests need.
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
  let group: Group?
  let error: Failure?

  struct Group: Decodable {
    let id: Int
    let name: String
  }
}

/// A job of `show`, with the additional fields that tests need.
struct ShownJob: Decodable {
  struct Validators: Decodable {
    let etag: String?
    let lastModified: String?
  }

  /// The checkpoint of the file.
  let segments: [Range<Int64>]
  let validators: Validators?

  /// The number of bytes that the checkpoint covers.
  var recorded: Int64 { segments.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

  private enum Field: CodingKey { case segments, validators }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    segments = try fields.decode([[Int64]].self, forKey: .segments).map { pair in
      guard pair.count == 2, pair[0] <= pair[1] else { throw HarnessError("\(pair) is not a segment") }
      return pair[0]..<pair[1]
    }
    validators = try fields.decodeIfPresent(Validators.self, forKey: .validators)
  }
}

extension Sandbox {
  /// The jobs, as another process sees them.
  ///
  /// - Throws: `HarnessError` with the output when it is not a list.
  func jobs() async throws -> [ListedJob] {
    let finished = try await dray("list", "--json")
    guard finished.status == 0 else { throw HarnessError("\(finished)") }
    do {
      return try JSONDecoder().decode([ListedJob].self, from: Data(finished.output.utf8))
    } catch {
      throw HarnessError("\(error)\n\(finished)")
    }
  }

  /// A job with all its fields; nil before it is added.
  ///
  /// - Throws: `HarnessError` with the output when it is not a job.
  func shown(_ id: Int, store: String? = nil) async throws -> ShownJob? {
    let finished = try await dray((store.map { ["--store", $0] } ?? []) + ["show", "\(id)", "--json"])
    if finished.status == 2 { return nil }
    guard finished.status == 0 else { throw HarnessError("\(finished)") }
    do {
      return try JSONDecoder().decode(ShownJob.self, from: Data(finished.output.utf8))
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
  func waitForState(_ state: String, seconds: Double = patience) async throws {
    try await waitUntil("state \(state)", seconds: seconds, every: 0.1) {
      try await jobs().first?.state == state
    }
  }
}
