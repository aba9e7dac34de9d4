// Judges a complete file by demands that were made after it had arrived (P12).

internal import DrayEngine

/// A published file that is judged again.
struct CompleteFileCheck: Sendable {
  let destination: any Destination
  /// The name of the file in the destination.
  let name: String
  let identity: FileIdentity
  /// The answer that brought the file; `nil` if unknown.
  let head: ResponseHead?
  /// The beginning of the reason of a failure, such as "it is complete".
  let state: String
  /// The advice after a failure.
  let advice: Advice

  private var path: String { PathText.join(destination.path, name) }

  private func refuted(_ what: String) -> Failure {
    Failure(.integrity, path, "\(state), but \(what)", advice: advice)
  }

  private func open() throws(Failure) -> any StoredBytes {
    if let file = try? destination.openTarget(name) { return file }
    throw Failure(.file, path, "it cannot be read to check it", advice: "check its permissions")
  }

  /// Compares the length and the type. The call blocks the calling thread.
  /// - Throws: Kind `file` for a file above the size limit; kind `integrity` for a file that is not of the type.
  func compare(_ demands: FileDemands) throws(Failure) {
    if let size = demands.size, size != identity.size {
      throw refuted("it has \(identity.size) bytes, expected \(size)")
    }
    if let most = demands.mostBytes, identity.size > most {
      throw Failure(
        .file, path, "\(state), but it has \(identity.size) bytes, more than the allowed \(most)",
        advice: "\(.maxSize) sets the limit")
    }
    guard let type = demands.type else { return }
    let check = ContentCheck(names: [], expected: type, head: head)
    let start = try open().bytes(Int(min(Int64(check.lookLength), identity.size)))
    if case .wrong(let what) = check.verdict(start) { throw refuted(what) }
  }

  /// Compares the file with the digests of the recorded answer and with those that `search` finds. The call blocks the
  /// calling thread while it hashes.
  /// - Parameters:
  ///   - mode: Where digests are looked for.
  ///   - known: A digest that the unchanged file is known to have.
  /// - Returns: The proved digest, and a note for people; `nil` if cancelled.
  /// - Throws: Kind `integrity` for a file that does not match, and for one without any digest if one is required.
  func prove(
    _ mode: VerifyMode, searched: Result<FoundDigest?, Failure>?, known: DigestValue?, _ isCancelled: () -> Bool
  ) throws(Failure) -> (digest: SourcedDigest?, note: String?)? {
    var check = DigestCheck(offered: mode == .none ? [] : head?.offeredDigests ?? [])
    let note = try searched.flatMap { (result) throws(Failure) in try check.add(result, mode, path) }
    if let one = check.binding.first, one.digest == known { return (one, note) }
    guard !check.algorithms.isEmpty else { return (nil, note) }
    guard let found = try FileHashing.digests(check.algorithms, try open(), identity.size, isCancelled) else {
      return nil
    }
    switch check.verdict(found) {
    case .unknown(let doubt): return (nil, CompleteFileCheck.joined(note, doubt))
    case .proved(let digest, let doubt): return (digest, CompleteFileCheck.joined(note, doubt))
    case .refuted(let expected, let found):
      let source = TextSafety.escaped(expected.source.rawValue)
      throw refuted("its digest is \(found.hex), and by \(source) it is \(expected.digest.hex)")
    }
  }

  private static func joined(_ one: String?, _ other: String?) -> String? {
    let notes = [one, other].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }
}
