// Judges a target that is up to date by the job's demands on its file, because there is no transfer that could judge it
// (P12).

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Compares the length and the type of a target, and its digest with those that are found beside it on the server. A
  /// given digest was compared before.
  /// - Parameter response: The answer of this attempt.
  /// - Returns: The proved digest, if it is new, and a note for people; `nil` if the attempt or the run was stopped.
  /// - Throws: Kind `integrity` or `file` for a file that does not meet the demands.
  func judge(
    _ identity: FileIdentity, named name: String, _ response: ResponseRecord?
  ) async throws(Failure) -> (digest: SourcedDigest?, note: String?)? {
    let (options, place, baseline) = (job.specification.options, job.specification.place, baseline)
    var searched: Result<FoundDigest?, Failure>?
    if let search {
      guard let result = await search.result() else { return nil }
      searched = result
    }
    let isUnchanged = baseline?.identity.map(identity.isUnchanged) ?? false
    let known = isUnchanged ? baseline?.digest : nil
    // A list that has gone since does not take back what it proved.
    let isProved = known != nil && baseline?.digestSource != .computed
    if case .success(nil)? = searched, isProved { searched = nil }
    let needsProof = options.digest == nil && (searched != nil || !isProved)
    let brought = [response, job.response].compactMap(\.self).first { [200, 206].contains($0.head.status) }
    let demands = FileDemands(of: options, length: identity.size)
    let found = await hasher.attemptRun { [signal, destinations, searched] () throws(Failure) in
      guard let destination = try destinations.all.find(place) else { return (nil, nil) as Proof? }
      let check = CompleteFileCheck(
        destination: destination, name: name, identity: identity, head: brought?.head, state: "it is up to date",
        advice: "remove the file to fetch it again")
      try check.compare(demands)
      guard needsProof else { return (nil, nil) }
      return try check.prove(demands.verify, searched: searched, known: known) { signal.isStopping }
    }
    return try found.get()
  }

  private typealias Proof = (digest: SourcedDigest?, note: String?)

  private var baseline: TargetBaseline? { job.specification.request.cache?.ifChanged }
}
