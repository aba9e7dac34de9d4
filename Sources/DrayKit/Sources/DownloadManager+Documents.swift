// Loads documents from the network; copies are kept in the job store.

package import DrayCore
internal import DrayEngine
internal import DrayStore
internal import Threads

extension DownloadManager {
  /// Loads a document. If `manager`'s store has a copy, the request is conditional.
  /// - Parameters:
  ///   - request: A GET of the document.
  ///   - accept: The `Accept` field.
  ///   - manager: The manager whose store may have a copy.
  ///   - mayBeStale: Whether the copy may be used if the server cannot be reached.
  package static func loadDocument(
    _ request: TransferRequest, accept: String, copies manager: DownloadManager?, mayBeStale: Bool
  ) async throws(Failure) -> LoadedDocument {
    guard request.url.scheme.hasPrefix("http") else {
      throw Failure(
        .usage, request.url.description, "such documents are loaded over http and https only",
        advice: "fetch it with \(.get), and name the file")
    }
    try CredentialRule.check(request)
    // The request may be for files, with another method and a body; a document needs a GET.
    var request = request
    request.method = "GET"
    request.body = nil
    let executor = manager?.executor ?? BlockingExecutor("dray.document")
    let (copy, cookies, engine) = try await executor.run { [request] () async throws(Failure) in
      (
        try await manager?.store.document(request.url),
        try await CookieKeeper(home: manager?.home, store: nil).given(for: request),
        try Engine(transport: await transport(of: manager?.store), hosts: manager?.hosts ?? HostRules())
      )
    }
    defer { engine.stop() }
    let answer: DocumentAnswer
    do throws(Failure) {
      answer = try await engine.fetchDocument(
        request, accept: accept, validators: copy?.validators ?? Validators(), cookies: cookies)
    } catch {
      let mayPass = error.kind == .network || (error.kind == .status && error.recovery == .retry)
      guard mayBeStale, mayPass, let copy else { throw error }
      return LoadedDocument(
        document: copy, freshness: .copy(age: max(0, WallClock.now() - copy.fetchedAt), error))
    }
    let type = answer.head.first("content-type")?.split(separator: ";").first.map { $0.trimmingSpaces().lowercased() }
    if answer.isUnchanged, var copy {
      copy.fetchedAt = WallClock.now()
      copy.finalURL = answer.finalURL
      return LoadedDocument(document: copy, freshness: .unchanged, mediaType: type)
    }
    return LoadedDocument(
      document: StoredDocument(
        url: request.url, finalURL: answer.finalURL, validators: answer.head.validators, fetchedAt: WallClock.now(),
        content: answer.bytes), freshness: .fetched, mediaType: type, charset: answer.head.mediaType?.charset)
  }
}
