// Finds jobs whose URLs are the same, but are spelled in another way (RFC 3986 §6.2.2).

internal import DrayStore

extension DownloadManager {
  /// If a job, or an earlier download of this call, spells the same URL in another way, the download gets that
  /// spelling, so that `/~a` and `/%7Ea` are one job. The keys are positions.
  func respelled(_ specifications: some Collection<JobSpecification>) async throws(Failure) -> [Int: JobSpecification] {
    var others: [Int: [RequestURL]] = [:]
    for (index, specification) in specifications.enumerated() {
      let spellings = specification.request.url.spellings
      if spellings.count > 1 { others[index] = spellings.compactMap { try? RequestURL.parse($0).url } }
    }
    guard !others.isEmpty else { return [:] }
    let known = try await store.known(others.values.flatMap(\.self))
    var seen: [String: RequestURL] = [:]
    var result: [Int: JobSpecification] = [:]
    for (index, specification) in specifications.enumerated() {
      guard let spellings = others[index], let given = spellings.first else { continue }
      let other = spellings.first { known.contains($0.string) } ?? seen[given.normal] ?? given
      seen[given.normal] = other
      guard other != given else { continue }
      result[index] = specification
      result[index]?.request.url = other
    }
    return result
  }
}
