// Requests directory listings, in the way that each scheme provides.

internal import DrayCore
internal import DrayDocuments
internal import DrayEngine
internal import Threads

/// The ways in which servers list directories.
enum ListingStyle: Sendable {
  /// A page, as HTML or JSON.
  case index
  case webDAV
  /// FTP's MLSD.
  case machine
  /// FTP's LIST, or the listing of SFTP.
  case lines
  case objects
}

struct ListingPart: Sendable {
  var listing: Listing
  /// The way that worked; use it for the directories below this one.
  var style: ListingStyle
}

/// Where a link of unknown kind leads.
enum OpenLinkAnswer: Sendable {
  case file
  /// The link leads to a directory; the value is its listing, if the answer contained it.
  case directory(ListingPart?)
}

struct TreeSource: Sendable {
  private static let disk = BlockingExecutor("dray.listing")
  private static let page = ListingQuery(accept: IndexPage.accept)
  private let engine: Engine
  private let request: TransferRequest
  private let cookies: [String]
  /// The time limit for a listing, in seconds.
  private let seconds: Double

  /// - Parameters:
  ///   - request: The request for the first directory, which is also the model for all other requests.
  ///   - seconds: The time limit for a listing.
  init(_ engine: Engine, _ request: TransferRequest, cookies: [String], seconds: Double) {
    (self.engine, self.request, self.cookies, self.seconds) = (engine, request, cookies, seconds)
  }

  private var start: RequestURL { request.url }

  /// Whether several listings are requested at once. Over FTP and SFTP they are not, because logins are expensive and
  /// limited.
  var takesSeveral: Bool { Scheme(request.url)?.speaksHTTP ?? false }

  /// - Parameters:
  ///   - style: The way that worked for the parent; `nil` for the first directory, for which all ways are tried.
  ///   - next: The continuation token of the previous part.
  func list(_ directory: RequestURL, _ style: ListingStyle?, next: String?) async throws(Failure) -> ListingPart {
    guard let scheme = Scheme(directory) else { throw unlisted(directory) }
    switch (scheme.listing, style) {
    case (.web, .webDAV): return try await propfind(directory)
    case (.web, .index): return try await index(directory)
    case (.web, _): return try await firstOfWeb(directory)
    case (.commands, .lines), (.lines, _): return try await lines(directory)
    case (.commands, _): return try await machine(directory)
    case (.keys, _): return try await objects(directory, next: next)
    case (nil, _): throw unlisted(directory)
    }
  }

  /// Finds out where a link of unknown kind leads: by the head of the answer, and by its body only if that may be a
  /// listing. If the answer does not decide this, the link counts as a file, and the file's job will report the
  /// problem.
  /// - Parameter hasNamesOnly: Whether the listing that contains the link gives only names.
  func look(at link: RequestURL, hasNamesOnly: Bool) async -> OpenLinkAnswer {
    let request = request.moved(to: link)
    guard let head = try? await engine.probe(request, cookies: cookies, followsRedirects: false).response.head else {
      return .file
    }
    switch OpenLink.finding(head, at: link) {
    case .file: return .file
    case .directory: return .directory(nil)
    case .page: break
    }
    let answer = try? await engine.fetchListing(
      request, TreeSource.page, within: start, seconds: seconds, cookies: cookies)
    guard let answer, answer.finalURL.placeKey == link.placeKey,
      let listing = IndexPage.proved(
        answer.bytes, type: answer.head.mediaType, of: link, hasNamesOnly: hasNamesOnly)
    else { return .file }
    return .directory(ListingPart(listing: listing, style: .index))
  }

  private func unlisted(_ directory: RequestURL) -> Failure {
    Failure(.usage, directory.description, "directories of this scheme are not listed", advice: "`cp -r` copies one")
  }

  // MARK: HTTP

  /// Tries a page; if the page is not a listing, tries WebDAV.
  private func firstOfWeb(_ directory: RequestURL) async throws(Failure) -> ListingPart {
    do throws(Failure) {
      return try await index(directory)
    } catch {
      let mayBeWebDAV =
        error.kind == .protocolViolation && error.httpStatus == nil
        || [403, 404, 405, 501].contains(error.httpStatus ?? 0)
      guard mayBeWebDAV, let found = try? await propfind(directory) else { throw error }
      return found
    }
  }

  private func index(_ directory: RequestURL) async throws(Failure) -> ListingPart {
    let answer = try await answer(directory, TreeSource.page) { _ in }
    return try read(directory, .index) { () throws(DocumentError) in
      try IndexPage.parse(answer.bytes, type: answer.head.mediaType, of: answer.finalURL)
    }
  }

  private func propfind(_ directory: RequestURL) async throws(Failure) -> ListingPart {
    let answer = try await answer(directory, ListingQuery(status: 207)) { request in
      request.method = "PROPFIND"
      request.headers.append(HeaderField("Depth", "1"))
    }
    return try read(directory, .webDAV) { () throws(DocumentError) in
      try WebDAVListing.parse(answer.bytes, of: answer.finalURL)
    }
  }

  /// Refuses redirects that lead out of the start directory, or to something that is not a directory.
  private func answer(
    _ directory: RequestURL, _ query: ListingQuery, _ change: (inout TransferRequest) -> Void
  ) async throws(Failure) -> DocumentAnswer {
    var request = request.moved(to: directory)
    change(&request)
    let answer = try await engine.fetchListing(
      request, query, within: start, seconds: seconds, cookies: cookies)
    let final = answer.finalURL
    guard final.path.hasSuffix("/") else {
      throw Failure(
        .protocolViolation, directory.description, "it redirects to \(final), which is not a directory",
        advice: "check the URL", httpStatus: answer.head.status)
    }
    return answer
  }

  // MARK: Other schemes

  private func machine(_ directory: RequestURL) async throws(Failure) -> ListingPart {
    let answer: DocumentAnswer
    do throws(Failure) {
      answer = try await engine.fetchListing(
        request.moved(to: directory), ListingQuery(command: "MLSD"), within: start, seconds: seconds)
    } catch {
      // Try LIST, because old servers do not support MLSD.
      guard error.kind == .status || error.kind == .protocolViolation else { throw error }
      return try await lines(directory)
    }
    return try read(directory, .machine) { () throws(DocumentError) in
      try FTPListing.machine(answer.bytes, of: directory)
    }
  }

  private func lines(_ directory: RequestURL) async throws(Failure) -> ListingPart {
    let answer = try await engine.fetchListing(request.moved(to: directory), within: start, seconds: seconds)
    return try read(directory, .lines) { () throws(DocumentError) in
      try FTPListing.lines(answer.bytes, of: directory)
    }
  }

  private func objects(_ directory: RequestURL, next: String?) async throws(Failure) -> ListingPart {
    let listing = request.listing(directory, next: next)
    let asked = try await TreeSource.disk.run { () throws(Failure) in try listing.credentialed() }
    let answer = try await engine.fetchListing(asked, within: asked.url, seconds: seconds)
    return try read(directory, .objects) { () throws(DocumentError) in
      try S3Listing.parse(answer.bytes, of: directory)
    }
  }

  private func read(
    _ directory: RequestURL, _ style: ListingStyle, _ parse: () throws(DocumentError) -> Listing
  ) throws(Failure) -> ListingPart {
    do throws(DocumentError) {
      return ListingPart(listing: try parse(), style: style)
    } catch {
      throw error.failure(directory.description, .protocolViolation)
    }
  }
}
