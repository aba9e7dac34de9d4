// Looks for the digest of a file in lists beside the file on its server, during the transfer.

internal import DrayDocuments
internal import DrayEngine
internal import Synchronization

struct FoundDigest: Sendable, Equatable {
  var digest: SourcedDigest
  /// A note about the signature of the list, for people.
  var note: String?
}

struct DigestSearch: Sendable {
  /// The maximum length of a list in bytes.
  private static let longestList = 4 << 20

  /// Fetches a list; returns `nil` if it does not exist.
  let fetch: @Sendable (RequestURL) async throws(Failure) -> [UInt8]?
  /// The public key for minisign, if the user gave one.
  let key: String?

  /// Lists of the same origin are fetched with the header fields, credentials and proxies of `request`.
  init(_ request: TransferRequest, _ engine: Engine, key: String?) {
    self.key = key
    fetch = { url throws(Failure) in
      var one = request.moved(to: url)
      (one.method, one.body, one.cache) = ("GET", nil, nil)
      do throws(Failure) {
        return try await engine.fetchDocument(
          one, accept: "text/plain, */*;q=0.5", longest: DigestSearch.longestList
        ).bytes
      } catch {
        // Any other error means that the list does not exist, as on most servers.
        guard error.kind == .network || error.kind == .tls || error.recovery == .retry else { return nil }
        throw error
      }
    }
  }

  /// A list that has a digest of the file.
  private struct Candidate {
    var digest: DigestValue
    var list: DigestList
    var bytes: [UInt8]
    var place: RequestURL
  }

  /// Tries the possible places in order, until a list has a strong digest.
  /// - Returns: `nil` if no list contains the file.
  /// - Throws: Kind `integrity` for a list with an invalid signature; the failure of the network if no answer came.
  func find(_ url: RequestURL) async throws(Failure) -> FoundDigest? {
    guard let best = try await best(url) else { return nil }
    let (digest, shown) = (best.digest, best.place.description)
    switch try await signature(of: best.list, best.bytes, at: best.place) {
    case .bad:
      throw Failure(
        .integrity, shown, "the signature of this list of digests is not valid",
        advice: "do not trust the server; \(.verifyOffered) ignores its lists")
    case .good(let signer):
      return FoundDigest(
        digest: SourcedDigest(digest, DigestSource(rawValue: "\(shown), signed by \(TextSafety.escaped(signer))")))
    case .unchecked(let why):
      return FoundDigest(
        digest: SourcedDigest(digest, DigestSource(rawValue: shown)),
        note: "the signature of \(shown) was not checked: \(TextSafety.escaped(why))")
    case nil:
      return FoundDigest(digest: SourcedDigest(digest, DigestSource(rawValue: shown)))
    }
  }

  /// Returns the first list with a strong digest, or else the one with the best digest.
  private func best(_ url: RequestURL) async throws(Failure) -> Candidate? {
    let names = [FileName.fromURLPath(url.path), url.path.split(separator: "/").last.map(String.init)]
    var best: Candidate?
    for place in DigestListPlace.beside(url) where !Task.isCancelled {
      let fetched: [UInt8]?
      do throws(Failure) { fetched = try await fetch(place.url) } catch {
        // If a list cannot be requested, the digest that was already found still counts.
        if let best { return best }
        throw error
      }
      guard let bytes = fetched, let list = try? DigestList.parse(bytes),
        let digest = names.lazy.compactMap({ $0 }).compactMap({ list.digest(of: $0, isOwn: place.isOwn) }).first,
        ListedDigestRule.isBetter(digest.algorithm, than: best?.digest.algorithm)
      else { continue }
      best = Candidate(digest: digest, list: list, bytes: bytes, place: place.url)
      if ListedDigestRule.endsSearch(digest.algorithm) { break }
    }
    return best
  }

  /// Returns the verdict on the list's signature; `nil` if the list has none.
  private func signature(
    of list: DigestList, _ bytes: [UInt8], at url: RequestURL
  ) async throws(Failure) -> SignatureVerdict? {
    if list.isSigned { return await SignatureCheck(form: .clear, list: bytes, signature: [], key: nil).run() }
    var last: SignatureVerdict?
    for form in key == nil ? [SignatureForm.openPGP] : [.minisign, .openPGP] {
      for suffix in form.suffixes where !Task.isCancelled {
        guard case .url(let place) = RequestURL.resolve(location: "\(url.path).\(suffix)", against: url),
          let signature = try await fetch(place), form.isOne(signature)
        else { continue }
        let verdict = await SignatureCheck(form: form, list: bytes, signature: signature, key: key).run()
        if case .unchecked = verdict { last = verdict } else { return verdict }
      }
    }
    // The user gave a key, but no signature by that key was found.
    return last ?? (key == nil ? nil : .unchecked("no minisign signature was found"))
  }
}

extension SignatureForm {
  /// Whether bytes look like a signature of this form, rather than like a "not found" page.
  func isOne(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .minisign: bytes.starts(with: Array("untrusted comment:".utf8))
    // The signature is in ASCII armour, or is a signature packet (RFC 9580 §4.2: tag 2, in the old or the new format).
    case .openPGP, .clear:
      bytes.starts(with: Array("-----BEGIN PGP".utf8)) || bytes.first.map { $0 & 0xFC == 0x88 || $0 == 0xC2 } ?? false
    }
  }
}

/// A search that runs during a transfer.
final class DigestSearchTask: Sendable {
  private struct State {
    var result: Result<FoundDigest?, Failure>?
    var waiters: [CheckedContinuation<Result<FoundDigest?, Failure>?, Never>] = []
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let mode: VerifyMode

  /// Starts a search. The result is `nil` if the job wants no search, already has a digest, or sends a body.
  init?(_ specification: JobSpecification, _ engine: Engine) {
    let options = specification.options
    guard let mode = options.verify, mode.looksBeside, options.digest == nil, specification.request.isSafe else {
      return nil
    }
    self.mode = mode
    let search = DigestSearch(specification.request, engine, key: options.verifyKey)
    let task = Task { [self] in
      let result: Result<FoundDigest?, Failure>
      do throws(Failure) { result = .success(try await search.find(specification.request.url)) } catch {
        result = .failure(error)
      }
      let waiters = state.withLock { state in
        state.result = result
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume(returning: result) }
    }
    state.withLock { $0.task = task }
  }

  /// Waits for the result.
  /// - Returns: `nil` once the search is cancelled.
  func result() async -> Result<FoundDigest?, Failure>? {
    await withCheckedContinuation { waiter in
      let (isOver, result) = state.withLock { state in
        if state.isCancelled || state.result != nil { return (true, state.isCancelled ? nil : state.result) }
        state.waiters.append(waiter)
        return (false, nil)
      }
      if isOver { waiter.resume(returning: result) }
    }
  }

  func cancel() {
    let (task, waiters) = state.withLock { state in
      state.isCancelled = true
      defer { state.waiters = [] }
      return (state.task, state.waiters)
    }
    task?.cancel()
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  /// Waits for the result, and returns why a file with this answer will be rejected whatever its bytes are; `nil` if its
  /// bytes decide.
  /// - Parameter known: The digests that earlier answers offered for the bytes on disk.
  func rejection(of head: ResponseHead, known: [SourcedDigest], _ subject: String) async -> Failure? {
    switch await result() {
    case .success(nil)? where mode.isUnprovable(by: head, known: known): .noDigest(subject)
    case .failure(let failure)? where failure.kind == .integrity: failure
    default: nil
    }
  }

  /// Adds the found digest to a check.
  /// - Returns: A note about the search, for people.
  /// - Throws: The failure of the search, if the file does not count as checked without the digest.
  func add(
    _ result: Result<FoundDigest?, Failure>, to check: inout DigestCheck, _ subject: String
  ) throws(Failure) -> String? {
    try check.add(result, mode, subject)
  }
}

extension DigestCheck {
  /// Adds the result of a search for lists of digests.
  /// - Parameter mode: Whether a digest is required.
  /// - Returns: A note about the search, for people.
  /// - Throws: The failure of the search, if the file does not count as checked without the digest.
  mutating func add(
    _ result: Result<FoundDigest?, Failure>, _ mode: VerifyMode, _ subject: String
  ) throws(Failure) -> String? {
    switch result {
    case .success(let found?):
      binding.append(found.digest)
      return found.note
    case .success(nil) where mode == .require && compared.isEmpty:
      throw .noDigest(subject)
    case .success(nil):
      return offered.best == nil ? "no digest of it was found" : nil
    case .failure(let failure) where mode == .require || failure.kind == .integrity:
      throw failure
    case .failure(let failure):
      return "lists of digests could not be requested: \(failure)"
    }
  }
}

extension Failure {
  /// The failure of a file for which a digest is required and none exists. Its bytes may be right, so they are kept.
  fileprivate static func noDigest(_ subject: String) -> Failure {
    Failure(
      .integrity, subject, "no digest of it is offered, but one is required",
      advice: "give one with \(.checksum)", recovery: .keep)
  }
}
