// Judges a target that is up to date by the job's demands on its file, because there is no transfer that could judge it
// (P12).

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Compares the length and the type of a target, and its digest with those that are found beside it on the server. A
  /// given digest was compared before.
  ///
  /// A file that was changed since it was fetched is the user's own: no digest of the server judges it, unless one is
  /// required.
  /// - Parameters:
  ///   - response: The answer of this attempt.
  ///   - isEdited: Whether the file was changed since it was fetched.
  /// - Returns: The proved digest, if it is new, and a note for people; `nil` if the attempt or the run was stopped.
  /// - Throws: Kind `integrity` or `file` for a file that does not meet the demands.
  func judge(
    _ identity: FileIdentity, named name: String, _ response: ResponseRecord?, isEdited: Bool
  ) async throws(Failure) -> (digest: SourcedDigest?, note: String?)? {
    let (options, place, baseline) = (job.specification.options, job.specification.place, baseline)
    let digestsCount = !isEdited || options.verify == .require
    var searched: Result<FoundDigest?, Failure>?
    if let search, digestsCount {
      state.verifying()
      guard let result = await search.result() else { return nil }
      searched = result
    }
    let known = baseline?.knownDigest(of: identity)
    // A list that has gone since does not take back what it proved.
    let isProved = known != nil && baseline?.digestSource != .computed
    if case .success(nil)? = searched, isProved { searched = nil }
    let needsProof = options.digest == nil && digestsCount && (searched != nil || !isProved)
    if needsProof { state.verifying() }
    // The recorded answer may be that of a later version, whose transfer was interrupted.
    let isOfTarget = baseline.map { $0.validators != nil && job.hasAnswer(of: $0.validators) } ?? true
    let brought = [response, isOfTarget ? job.response : nil].compactMap(\.self).first {
      [200, 206].contains($0.head.status)
    }
    let demands = FileDemands(of: options, length: identity.size)
    let found = await hasher.attemptRun { [signal, destinations, searched] () throws(Failure) in
      guard let destination = try destinations.all.find(place) else { return (nil, nil) as Proof? }
      let check = CompleteFileCheck(
        destination: destination, name: name, identity: identity, head: brought?.head, state: "it is up to date",
        advice: isEdited ? "move the file away to fetch it again" : "remove the file to fetch it again")
      try check.compare(demands)
      guard needsProof else { return (nil, nil) }
      return try check.prove(demands.verify, searched: searched, known: known) { signal.isStopping }
    }
    return try found.get()
  }

  private typealias Proof = (digest: SourcedDigest?, note: String?)

  private var baseline: TargetBaseline? { job.specification.request.cache?.ifChanged }
}
