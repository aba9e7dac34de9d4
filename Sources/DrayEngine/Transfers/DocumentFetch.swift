// Fetches a document into memory: a feed, a catalog, a Metalink file, or a listing of a directory. The size is limited,
// and the request is conditional if validators are known.

internal import Curl
public import DrayCore
internal import Threads

public struct DocumentAnswer: Sendable {
  /// The URL that answered, after redirects.
  public var finalURL: RequestURL
  /// The head of the answer. Its status is 200, or 304 if validators were given.
  public var head: ResponseHead
  public var bytes: [UInt8]
  public var isUnchanged: Bool { head.status == 304 }
}

extension Engine {
  /// The maximum size of a document in bytes (P13).
  public static let documentLimit = 16 << 20

  /// Fetches the document of `request`, whose method must be GET. Redirects are followed by the same rules as in a
  /// transfer.
  /// - Parameters:
  ///   - accept: The `Accept` field, unless the request has its own.
  ///   - validators: The validators of a known copy; if they are given, a 304 is a valid result.
  ///   - cookies: The initial cookies, as lines in the Netscape format; with `nil`, no cookies are sent.
  ///   - longest: The maximum size of the document in bytes.
  ///   - isCancelled: Whether to give up; asked about once a second.
  /// - Throws: ``Failure`` for any answer other than a complete 200 or an expected 304.
  public func fetchDocument(
    _ request: TransferRequest, accept: String? = nil, validators: Validators = Validators(),
    cookies: [String]? = nil, longest: Int = Engine.documentLimit,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws(Failure) -> DocumentAnswer {
    var terms = DocumentTerms(accept: accept, validators: validators, longest: longest)
    terms.isCancelled = isCancelled
    return try await fetch(request, terms, cookies)
  }

  /// Fetches a document whose beginning shows how long it may be, by the rules of
  /// ``fetchDocument(_:accept:validators:cookies:longest:isCancelled:)``.
  public func fetchDocument(
    _ request: TransferRequest, accept: String, cookies: [String]?, bound: DocumentBound,
    isCancelled: @escaping @Sendable () -> Bool
  ) async throws(Failure) -> DocumentAnswer {
    var terms = DocumentTerms(accept: accept, longest: bound.longest)
    (terms.bound, terms.isCancelled) = (bound, isCancelled)
    return try await fetch(request, terms, cookies)
  }

  /// Fetches the listing of a directory from a server of any kind.
  /// - Parameters:
  ///   - query: How to ask for the listing.
  ///   - place: The directory that redirects must not leave.
  ///   - seconds: The time limit of the whole fetch.
  ///   - cookies: The initial cookies, as lines in the Netscape format; with `nil`, no cookies are sent.
  /// - Throws: ``Failure`` for any answer that is not complete and successful.
  public func fetchListing(
    _ request: TransferRequest, _ query: ListingQuery = ListingQuery(), within place: RequestURL, seconds: Double,
    cookies: [String]? = nil
  ) async throws(Failure) -> DocumentAnswer {
    let terms = DocumentTerms(
      accept: query.accept, statuses: [query.status], command: query.command, place: place, seconds: seconds)
    return try await fetch(request, terms, cookies)
  }

  /// Sends a request whose answers with an error status may be results, and follows redirects as a transfer does.
  /// - Parameters:
  ///   - accept: The `Accept` field, unless the request has its own.
  ///   - body: The body of a request that is neither a GET nor a HEAD. Such a request follows no redirects.
  ///   - statuses: The statuses besides 2xx that are results. A redirect among them is not followed.
  ///   - longest: The maximum size of the answer's body in bytes.
  /// - Throws: ``Failure`` for an answer with any other status, and if there is no complete answer.
  public func ask(
    _ request: TransferRequest, accept: String, body: [UInt8]? = nil, statuses: Set<Int> = [],
    longest: Int = Engine.documentLimit
  ) async throws(Failure) -> DocumentAnswer {
    let statuses = statuses.union(200...299)
    guard request.method != "GET", request.method != "HEAD" else {
      return try await fetch(request, DocumentTerms(accept: accept, longest: longest, statuses: statuses), nil)
    }
    var sent = request
    sent.url = transport.upgraded(request.url)
    sent = hosts.request(sent, at: sent.url)
    let namesType = sent.headers.contains { $0.name.lowercased() == "accept" }
    if !namesType { sent.headers.append(HeaderField("Accept", accept)) }
    // A field without a value is left out. Otherwise libcurl waits for the permission to send a small body.
    sent.headers.append(HeaderField("Expect", ""))
    let answer = try await call(sent, body: body ?? [], longest: longest)
    guard statuses.contains(answer.head.status) else {
      throw StatusRule.failure(answer.head, subject: sent.url.description, now: Int64(WallClock.now())).ofNoJob
    }
    return answer
  }

  /// Returns the URL to request; its scheme is https if the host requires https.
  public func asked(_ url: RequestURL) -> RequestURL { transport.upgraded(url) }

  private func fetch(
    _ request: TransferRequest, _ terms: DocumentTerms, _ cookies: [String]?
  ) async throws(Failure) -> DocumentAnswer {
    let result: Result<DocumentAnswer, Failure> = await withCheckedContinuation { continuation in
      var request = request
      request.url = transport.upgraded(request.url)
      run { [request, transport, hosts] in
        DocumentFetch(request, hosts, terms, transport, cookies) { continuation.resume(returning: $0) }
      }
    }
    return try result.get()
  }
}

/// The maximum length of a document whose beginning states its length.
public struct DocumentBound: Sendable {
  /// The maximum length in bytes of any such document.
  public var longest: Int
  /// How many bytes must have come before the document is judged.
  public var after: Int
  /// Returns the maximum length of the document that begins with these bytes.
  public var judge: @Sendable ([UInt8]) throws(Failure) -> Int

  public init(longest: Int, after: Int, judge: @escaping @Sendable ([UInt8]) throws(Failure) -> Int) {
    (self.longest, self.after, self.judge) = (longest, after, judge)
  }
}

/// The way to ask a server for the listing of a directory.
public struct ListingQuery: Sendable {
  /// The `Accept` field.
  public var accept: String?
  /// The status of a successful answer: 207 for a PROPFIND.
  public var status: Int
  /// The command for an FTP server; `nil` means LIST.
  public var command: String?

  public init(accept: String? = nil, status: Int = 200, command: String? = nil) {
    (self.accept, self.status, self.command) = (accept, status, command)
  }
}

/// The parameters of ``Engine/fetchDocument(_:accept:validators:cookies:longest:)``, of fetching a listing, and of
/// ``Engine/ask(_:accept:body:statuses:longest:)``.
private struct DocumentTerms {
  var accept: String?
  var validators = Validators()
  var longest = Engine.documentLimit
  var bound: DocumentBound?
  /// The statuses of answers that are results.
  var statuses: Set<Int> = [200]
  var command: String?
  var place: RequestURL?
  var seconds = Double.infinity
  var isCancelled: @Sendable () -> Bool = { false }
}

/// One fetch, on the loop's thread.
private final class DocumentFetch: LoopTransfer {
  private enum Next: AnswerSequel {
    case again
    /// The known copy is still current.
    case unchanged
    case fail(Failure)
  }

  private let request: TransferRequest
  private let terms: DocumentTerms
  private let deliver: (Result<DocumentAnswer, Failure>) -> Void
  private var exchange: Exchange<Next>
  private var bytes: [UInt8] = []
  /// The maximum length according to the beginning of the document.
  private var bounded: Int?
  private var end = Double.infinity
  /// The time at which the request began to wait for its start; `nil` if it does not wait.
  private var waitsSince: Double?

  init(
    _ request: TransferRequest, _ hosts: HostRules, _ terms: DocumentTerms, _ transport: TransportMemory,
    _ cookies: [String]?,
    deliver: @escaping (Result<DocumentAnswer, Failure>) -> Void
  ) {
    self.request = request
    self.terms = terms
    self.deliver = deliver
    exchange = Exchange(
      request, from: request.url,
      ExchangeTerms(transport: transport, hosts: hosts, cookies: cookies, isContinued: false))
  }

  func startTime(now: Double) -> Double {
    let start = exchange.startTime(now: now)
    if start > now { waitsSince = waitsSince ?? now }
    return start
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    exchange.begin(on: handle)
    // Do not count time that the request waits because of the pace as the server's time, even between redirects.
    let now = TransferLoop.now()
    end = end == .infinity ? now + terms.seconds : end + (waitsSince.map { now - $0 } ?? 0)
    waitsSince = nil
    (bytes, bounded) = ([], nil)
    guard let server = try exchange.prepare(request, asking: .whole, on: handle) else {
      let fields = RequestFields(exchange.adapted(request), to: exchange.url, asking: .whole)
      return try handle.setHeaders(fields.lines + conditions)
    }
    if server.scheme.transport == .ftp, let command = terms.command { try handle.set(.method, command) }
  }

  /// The fields for every request, also after a redirect: `Accept`, and the conditions.
  private var conditions: [String] {
    var lines: [String] = []
    if let accept = terms.accept, !request.headers.contains(where: { $0.name.lowercased() == "accept" }) {
      lines.append("Accept: \(accept)")
    }
    if let etag = terms.validators.etag { lines.append("If-None-Match: \(etag)") }
    if let date = terms.validators.lastModified { lines.append("If-Modified-Since: \(date)") }
    return lines
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    switch exchange.receive(line) {
    case .nothing: break
    case .superseded: (bytes, bounded) = ([], nil)
    case .head(let head): decide(head)
    }
    return exchange.receiver.course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    if let place = terms.place, case .follow(let target, _)? = exchange.receiver.chain.step(after: head),
      !target.isWithin(place)
    {
      return exchange.receiver.decide(
        .fail(
          failure(
            "it redirects to \(target), which is not below \(place)", advice: "if that is the directory, give its URL",
            head))
      )
    }
    let isResult = terms.statuses.contains(head.status)
    switch isResult ? nil : exchange.receiver.redirect(by: head) {
    case .followed?: return
    case .refused(let reason)?: return exchange.receiver.decide(.fail(failure(reason, advice: "check the URL")))
    case nil: break
    }
    switch head.status {
    case _ where isResult && request.method == "HEAD":
      exchange.receiver.usesBody()
    case _ where isResult:
      if !head.contentCodings.isEmpty, !isGzip(head) {
        let codings = head.contentCodings.joined(separator: ", ")
        exchange.receiver.decide(.fail(failure("the server compressed it (\(codings)) without being asked")))
      } else if let length = head.announcedLength, length > Int64(terms.longest) {
        exchange.receiver.decide(.fail(tooLong))
      } else {
        exchange.receiver.usesBody()
      }
    case 304 where terms.validators.etag != nil || terms.validators.lastModified != nil:
      exchange.receiver.decide(.unchanged)
    default:
      let failure =
        request.failure(on: head, subject: exchange.receiver.subject)
        ?? StatusRule.failure(head, subject: exchange.receiver.subject, now: Int64(WallClock.now())).ofNoJob
      exchange.receiver.decide(.fail(exchange.receiver.told(failure)))
    }
  }

  /// Whether the body is gzip. Some servers send gzip although the request does not allow it; it is unpacked here.
  private func isGzip(_ head: ResponseHead) -> Bool {
    ["gzip", "x-gzip"].contains { head.contentCodings == [$0] }
  }

  private func unpacked(_ head: ResponseHead) throws(Failure) -> [UInt8] {
    // Some servers announce gzip but send the plain file, or nothing.
    guard isGzip(head), GzipData.isStart(of: bytes) else { return bytes }
    do throws(GzipError) { return try GzipData.unpacked(bytes, limit: terms.longest) } catch {
      throw error == .tooLong ? tooLong : failure("its gzip data is damaged", head)
    }
  }

  private func failure(_ reason: String, advice: Advice? = nil, _ head: ResponseHead? = nil) -> Failure {
    Failure(
      .protocolViolation, exchange.receiver.subject, reason, advice: advice,
      httpStatus: head?.status ?? exchange.receiver.head?.status)
  }

  private var tooLong: Failure {
    failure("it is longer than \(ByteCount.text(Int64(bounded ?? terms.longest))), the limit for such documents")
  }

  /// Accepts a source without HTTP, which sends no head. Its facts are known at its first byte, or at the end if the
  /// file is empty.
  private func acceptSource() {
    guard let source = exchange.receiver.source, exchange.receiver.head == nil else { return }
    exchange.receiver.accept(ResponseHead(version: source.scheme.name, status: 200))
    exchange.receiver.usesBody()
  }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    acceptSource()
    guard exchange.receiver.bodyFollowsHead(), exchange.receiver.course.isOpen else {
      return exchange.receiver.passOver(body.count)
    }
    exchange.note(body.count)
    guard bytes.count + body.count <= bounded ?? terms.longest else {
      exchange.receiver.cut(.fail(tooLong))
      return .abort
    }
    bytes.append(contentsOf: body)
    do throws(Failure) { try judge() } catch {
      exchange.receiver.cut(.fail(error))
      return .abort
    }
    return .taken
  }

  /// Judges the length of the document by its beginning, once enough of it has come.
  private func judge() throws(Failure) {
    // The beginning of compressed data shows nothing.
    guard let bound = terms.bound, bounded == nil, bytes.count >= bound.after, !GzipData.isStart(of: bytes) else {
      return
    }
    let most = min(terms.longest, try bound.judge(bytes))
    guard bytes.count <= most else { throw tooLong }
    bounded = most
    // Without this, the bytes would be copied as they grow, and need twice the memory.
    bytes.reserveCapacity(most)
  }

  func tick(now: Double) -> TickVerdict {
    if let verdict = exchange.receiver.patience(now: now) { return verdict }
    if terms.isCancelled() {
      exchange.receiver.cut(.fail(Failure(.other, exchange.receiver.subject, "it was stopped", recovery: .keep)))
      return .abort
    }
    guard now < end else {
      exchange.receiver.cut(
        .fail(
          Failure(
            .network, exchange.receiver.subject, "it took longer than \(Int(terms.seconds)) s, the limit for a listing")
        )
      )
      return .abort
    }
    return exchange.tick(now: now)
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let isStopped = exchange.receiver.isStopped(by: error)
    if error == nil, exchange.receiver.course.isOpen { acceptSource() }
    switch exchange.receiver.course.decision {
    case .again? where !isStopped:
      return exchange.receiver.askAgain()
    case .fail(let failure)?:
      deliver(.failure(failure))
    case .unchanged? where !isStopped, nil where error == nil:
      if let head = exchange.receiver.head {
        do throws(Failure) {
          deliver(.success(DocumentAnswer(finalURL: exchange.receiver.url, head: head, bytes: try unpacked(head))))
        } catch {
          deliver(.failure(error))
        }
      } else {
        deliver(
          .failure(Failure(.network, exchange.receiver.subject, "the server closed the connection without an answer")))
      }
    case .again?, .unchanged?, nil:
      deliver(.failure(exchange.receiver.failure(of: error ?? .aborted, info)))
    }
    return .done
  }
}
