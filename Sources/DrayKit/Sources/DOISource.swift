// Finds the files of records with a DOI: `doi:10.5281/zenodo.123`.

internal import DrayCore
internal import DrayDocuments
internal import Threads

/// Records of research data, in whichever service their DOI leads to (``RecordService``).
struct DOISource: NamedSource {
  let scheme = "doi"

  init() {}

  var about: SourceAbout {
    SourceAbout(["doi:10.PREFIX/SUFFIX"], "files of a record: Zenodo, figshare, Dataverse and others")
  }

  func name(of address: RequestURL) -> SourceName? { DOIName.named(by: address) }

  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let doi: DOIName
    do throws(DocumentError) { doi = try DOIName(name) } catch { throw refusal(of: name, error) }
    return try await DOIQuery(name, doi, client).answer()
  }
}

/// The requests for one name.
private struct DOIQuery {
  private let name: SourceName
  private let doi: DOIName
  private let client: any SourceClient

  /// The reply of a service that may have the record.
  private enum Reply {
    case files(RecordFiles)
    /// It does not, for this reason.
    case nothing(Failure)
  }

  /// The maximum number of pages of files.
  private static let mostPages = 100
  /// The maximum size of the description of a record with many files, in bytes.
  private static let limit = 64 << 20
  /// Refusals that say something about the record, or about programs that ask for pages.
  private static let refusals: Set<Int> = [400, 401, 403, 404, 405, 406, 410, 418, 451]

  init(_ name: SourceName, _ doi: DOIName, _ client: any SourceClient) {
    (self.name, self.doi, self.client) = (name, doi, client)
  }

  func answer() async throws(Failure) -> SourceAnswer {
    let target = try await target()
    var asked: Set<RequestURL> = []
    var first: Failure?
    if let files = try await ask(at: target, &asked, &first) { return try answer(files, target) }
    var query = SourceQuery(target)
    (query.accept, query.statuses) = ("text/html, */*;q=0.5", DOIQuery.refusals)
    let page = try await client.send(query)
    if let files = try await ask(at: page.finalURL, &asked, &first) { return try answer(files, page.finalURL) }
    return try await linked(page, first)
  }

  // MARK: The page

  /// Returns the address that the DOI leads to.
  private func target() async throws(Failure) -> RequestURL {
    let resolver = client.places.variable("DRAY_DOI_RESOLVER") ?? "https://doi.org"
    guard let url = try? RequestURL.parse("\(resolver)/api/handles/\(doi.encoded)?type=URL").url,
      url.scheme == "https" || ServiceAddress.isLocal(url.host)
    else {
      throw Failure(.usage, name.shown, "DRAY_DOI_RESOLVER is not the https URL of a resolver of DOIs")
    }
    let response = try await send(url, statuses: [404])
    guard response.head.status != 404 else {
      throw Failure(.status, name.shown, "\(url.host) has no such DOI", advice: "check the name", httpStatus: 404)
    }
    return try read { () throws(DocumentError) in try DOIName.target(response.body, base: response.finalURL) }
  }

  /// Returns the files that the page itself names.
  /// - Parameter first: The reason why no service has answered; `nil` if none was asked.
  private func linked(_ page: SourceResponse, _ first: Failure?) async throws(Failure) -> SourceAnswer {
    let url = page.finalURL
    var files = try read { () throws(DocumentError) in try LandingLinks.files(page.head, url) }
    if files.files.isEmpty, let set = LandingLinks.set(page.head, url) {
      var query = SourceQuery(set)
      query.accept = "application/linkset+json"
      let response = try await client.send(query)
      files = try read { () throws(DocumentError) in
        try LandingLinks.parse(response.body, base: response.finalURL, page: url)
      }
    }
    if !files.files.isEmpty { return try answer(files, url) }
    if let first { throw first }
    guard (200...299).contains(page.head.status) else { throw refusal(page) }
    throw Failure(
      .protocolViolation, name.shown, "\(url) does not say which files the record has",
      advice: "open it in a browser, and give the URLs of the files")
  }

  // MARK: Services

  /// Asks the services that are possible at an address.
  /// - Parameters:
  ///   - asked: The calls so far. None of them is repeated.
  ///   - first: The first reason why a service does not have the record.
  /// - Returns: The files; `nil` if no service has the record.
  private func ask(
    at address: RequestURL, _ asked: inout Set<RequestURL>, _ first: inout Failure?
  ) async throws(Failure) -> RecordFiles? {
    for service in RecordService.possible(at: address, doi) {
      guard let call = service.call(address), asked.insert(call).inserted else { continue }
      switch try await ask(service, address) {
      case .files(let files): return files
      case .nothing(let failure): first = first ?? failure
      }
    }
    return nil
  }

  private func ask(_ service: RecordService, _ page: RequestURL) async throws(Failure) -> Reply {
    guard let url = service.call(page) else { throw Failure(.usage, name.shown, "the name is too long for a URL") }
    let response = try await send(url, statuses: DOIQuery.refusals)
    guard (200...299).contains(response.head.status) else { return .nothing(refusal(response)) }
    // Some sites answer any path with a page. A description that is wrong must not lead to less proof.
    guard response.body.first(where: { !"\t\n\r ".utf8.contains($0) }) == UInt8(ascii: "{") else {
      return .nothing(
        Failure(.protocolViolation, url.description, "no such API here: the answer is not JSON"))
    }
    switch service {
    case .dataverse:
      return .files(
        try read { () throws(DocumentError) in
          try DataverseDataset.parse(response.body, base: response.finalURL)
        })
    case .figshare(let article, let version):
      return .files(try await figshare(response, service, page, article, version))
    case .invenio: return .files(try await invenio(response))
    }
  }

  private func invenio(_ response: SourceResponse) async throws(Failure) -> RecordFiles {
    var record = try read { () throws(DocumentError) in
      try InvenioRecord.parse(response.body, base: response.finalURL)
    }
    if let list = record.list {
      let answer = try await send(list)
      try read { () throws(DocumentError) in try record.readList(answer.body, base: answer.finalURL) }
    }
    return record.files
  }

  private func figshare(
    _ response: SourceResponse, _ service: RecordService, _ page: RequestURL, _ id: String, _ version: Int64?
  ) async throws(Failure) -> RecordFiles {
    var article = try read { () throws(DocumentError) in
      try FigshareArticle.parse(response.body, base: response.finalURL, id: id, version: version)
    }
    var number = 0
    while !article.isWhole {
      number += 1
      guard number <= DOIQuery.mostPages, let url = service.filesCall(page, number) else {
        throw Failure(.protocolViolation, name.shown, "figshare sends the list of files without an end")
      }
      let answer = try await send(url)
      article.isWhole = try read { () throws(DocumentError) in
        try article.readPage(answer.body, base: answer.finalURL)
      }
    }
    return article.files
  }

  // MARK: Answers

  private func answer(_ files: RecordFiles, _ page: RequestURL) throws(Failure) -> SourceAnswer {
    guard !files.files.isEmpty else {
      throw Failure(
        .usage, name.shown,
        "the record has no file that can be fetched" + (files.remarks.first.map { ": \($0)" } ?? ""),
        advice: "see \(page.description)")
    }
    return files.answer(doi, host: page.host)
  }

  private func send(_ url: RequestURL, statuses: Set<Int> = []) async throws(Failure) -> SourceResponse {
    var query = SourceQuery(url)
    (query.statuses, query.limit) = (statuses, DOIQuery.limit)
    return try await client.send(query)
  }

  private func read<Value>(_ body: () throws(DocumentError) -> Value) throws(Failure) -> Value {
    do throws(DocumentError) { return try body() } catch { throw error.failure(name.shown, .protocolViolation) }
  }

  private func refusal(_ response: SourceResponse) -> Failure {
    var failure = StatusRule.failure(
      response.head, subject: response.finalURL.description, now: Int64(WallClock.now()))
    switch response.head.status {
    case 401, 403:
      failure.reason = "\(response.head.status): the record is not open, or programs are refused"
      failure.advice = "open it in a browser"
    case 410:
      failure.reason = "410: the record was withdrawn"
      failure.advice = nil
    default: break
    }
    return failure.ofNoJob
  }
}
