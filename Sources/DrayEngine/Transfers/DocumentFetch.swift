// Fetches a document into memory: a feed, a catalog, a Metalink file, a listing of a directory. Small, bounded, under a
// condition where one is known.

internal import Curl
public import DrayCore
internal import Threads

/// The answer to a request for a document.
public struct DocumentAnswer: Sendable {
  /// The URL that answered, after redirects.
  public var finalURL: RequestURL
  /// Its answer: status 200, or 304 where validators were given.
  public var head: ResponseHead
  /// The body.
  public var bytes: [UInt8]
  /// Whether what is known already is still good.
  public var isUnchanged: Bool { head.status == 304 }
}

extension Engine {
  /// The longest document that is taken, in bytes (P13).
  public static let documentLimit = 16 << 20

  /// Fetches the document that `request` leads to; its method must be GET. Redirects are followed by the rules of a
  /// transfer.
  /// - Parameters:
  ///   - accept: the `Accept` field, unless the request has its own.
  ///   - validators: what is known of a copy; with them a 304 is a result.
  ///   - cookies: those to begin with, lines in Netscape's format; `nil` is to send none.
  ///   - longest: the longest document that is taken, in bytes.
  /// - Throws: ``Failure`` for everything but a whole 200 or an expected 304.
  public func fetchDocument(
    _ request: TransferRequest, accept: String? = nil, validators: Validators = Validators(),
    cookies: [String]? = nil, longest: Int = Engine.documentLimit
  ) async throws(Failure) -> DocumentAnswer {
    try await fetch(request, DocumentTerms(accept: accept, validators: validators, longest: longest), cookies)
  }

  /// Fetches a listing of the directory that `request` leads to, whatever server that has.
  /// - Parameters:
  ///   - accept: the `Accept` field.
  ///   - status: that of the answer that has it: 207 for a PROPFIND.
  ///   - command: what an FTP server is asked by; `nil` is LIST.
  ///   - place: the directory that no redirect may leave.
  ///   - seconds: how long it may take in all.
  ///   - cookies: as above.
  /// - Throws: ``Failure`` for everything but a whole answer.
  public func fetchListing(
    _ request: TransferRequest, within place: RequestURL, seconds: Double, accept: String? = nil, status: Int = 200,
    command: String? = nil, cookies: [String]? = nil
  ) async throws(Failure) -> DocumentAnswer {
    try await fetch(
      request, DocumentTerms(accept: accept, status: status, command: command, place: place, seconds: seconds), cookies)
  }

  /// The URL that is asked for `url`: a host that wants https is asked over https.
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

/// How a document is asked for, and which answer has it.
private struct DocumentTerms {
  /// The `Accept` field, unless the request has its own.
  var accept: String?
  /// What is known of a copy; with them a 304 is a result.
  var validators = Validators()
  /// The longest document that is taken, in bytes.
  var longest = Engine.documentLimit
  /// The status of the answer that has it.
  var status = 200
  /// What an FTP server is asked by.
  var command: String?
  /// The directory that no redirect may leave.
  var place: RequestURL?
  /// How long it may take in all.
  var seconds = Double.infinity
}

/// One fetch, on the loop's thread.
private final class DocumentFetch: LoopTransfer {
  /// What follows the present answer, decided by its head or its body.
  private enum Next: AnswerSequel {
    /// A redirect is followed.
    case again
    /// What is known of it is still good.
    case unchanged
    case fail(Failure)
  }

  private let request: TransferRequest
  private let terms: DocumentTerms
  private let deliver: (Result<DocumentAnswer, Failure>) -> Void
  private var exchange: Exchange<Next>
  private var bytes: [UInt8] = []
  /// When it has taken too long.
  private let end: Double

  init(
    _ request: TransferRequest, _ hosts: HostRules, _ terms: DocumentTerms, _ transport: TransportMemory,
    _ cookies: [String]?,
    deliver: @escaping (Result<DocumentAnswer, Failure>) -> Void
  ) {
    self.request = request
    self.terms = terms
    end = TransferLoop.now() + terms.seconds
    self.deliver = deliver
    exchange = Exchange(
      request, from: request.url,
      ExchangeTerms(transport: transport, hosts: hosts, cookies: cookies, isContinued: false))
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    exchange.begin(on: handle)
    bytes = []
    guard let server = try exchange.prepare(request, asking: .whole, on: handle) else {
      let fields = RequestFields(exchange.adapted(request), to: exchange.url, asking: .whole)
      return try handle.setHeaders(fields.lines + conditions)
    }
    if server.scheme.transport == .ftp, let command = terms.command { try handle.set(.method, command) }
  }

  /// The fields that go to every hop: what is wanted, and what is known already.
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
    case .superseded: bytes = []
    case .head(let head): decide(head)
    }
    return exchange.intake.course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    if let place = terms.place, case .follow(let target, _)? = exchange.intake.chain.step(after: head), target != place,
      !target.isBelow(place)
    {
      return exchange.intake.decide(
        .fail(
          failure(
            "it redirects to \(target), which is not below \(place)", advice: "if that is the directory, give its URL",
            head))
      )
    }
    switch exchange.intake.redirect(by: head) {
    case .followed?: return
    case .refused(let reason)?: return exchange.intake.decide(.fail(failure(reason, advice: "check the URL")))
    case nil: break
    }
    switch head.status {
    case terms.status:
      if !head.contentCodings.isEmpty, !isGzip(head) {
        let codings = head.contentCodings.joined(separator: ", ")
        exchange.intake.decide(.fail(failure("the server compressed it (\(codings)) without being asked")))
      } else if let length = head.announcedLength, length > Int64(terms.longest) {
        exchange.intake.decide(.fail(tooLong))
      } else {
        exchange.intake.usesBody()
      }
    case 304 where terms.validators.etag != nil || terms.validators.lastModified != nil:
      exchange.intake.decide(.unchanged)
    default:
      let failure =
        request.failure(on: head, subject: exchange.intake.subject)
        ?? StatusRule.failure(head, subject: exchange.intake.subject, now: Int64(WallClock.now()))
      exchange.intake.decide(.fail(failure))
    }
  }

  /// Whether the body is gzip, which can be unpacked here. Servers send it unasked.
  private func isGzip(_ head: ResponseHead) -> Bool {
    ["gzip", "x-gzip"].contains { head.contentCodings == [$0] }
  }

  /// Returns the document in the body.
  private func unpacked(_ head: ResponseHead) throws(Failure) -> [UInt8] {
    // Some servers name a coding although they send the plain file; an empty body is not gzip either.
    guard isGzip(head), GzipData.isStart(of: bytes) else { return bytes }
    do throws(GzipError) { return try GzipData.unpacked(bytes, limit: terms.longest) } catch {
      throw error == .tooLong ? tooLong : failure("its gzip data is damaged", head)
    }
  }

  private func failure(_ reason: String, advice: Advice? = nil, _ head: ResponseHead? = nil) -> Failure {
    Failure(
      .protocolViolation, exchange.intake.subject, reason, advice: advice,
      httpStatus: head?.status ?? exchange.intake.head?.status)
  }

  private var tooLong: Failure {
    failure("it is longer than \(ByteCount.text(Int64(terms.longest))), the limit for such documents")
  }

  /// What comes without HTTP has no head: it is there as the first byte is, or at the end of what is empty.
  private func acceptSource() {
    guard let source = exchange.intake.source, exchange.intake.head == nil else { return }
    exchange.intake.accept(ResponseHead(version: source.scheme.name, status: 200))
    exchange.intake.usesBody()
  }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    acceptSource()
    guard exchange.intake.bodyFollowsHead(), exchange.intake.course.isOpen else {
      return exchange.intake.passOver(body.count)
    }
    exchange.note(body.count)
    guard bytes.count + body.count <= terms.longest else {
      exchange.intake.cut(.fail(tooLong))
      return .abort
    }
    bytes.append(contentsOf: body)
    return .taken
  }

  func tick(now: Double) -> TickVerdict {
    if let verdict = exchange.intake.patience(now: now) { return verdict }
    guard now < end else {
      exchange.intake.cut(
        .fail(
          Failure(
            .network, exchange.intake.subject, "it took longer than \(Int(terms.seconds)) s, the limit for a listing"))
      )
      return .abort
    }
    return exchange.tick(now: now)
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let isStopped = exchange.intake.isStopped(by: error)
    if error == nil, exchange.intake.course.isOpen { acceptSource() }
    switch exchange.intake.course.decision {
    case .again? where !isStopped:
      return exchange.intake.askAgain()
    case .fail(let failure)?:
      deliver(.failure(failure))
    case .unchanged? where !isStopped, nil where error == nil:
      if let head = exchange.intake.head {
        do throws(Failure) {
          deliver(.success(DocumentAnswer(finalURL: exchange.intake.url, head: head, bytes: try unpacked(head))))
        } catch {
          deliver(.failure(error))
        }
      } else {
        deliver(
          .failure(Failure(.network, exchange.intake.subject, "the server closed the connection without an answer")))
      }
    case .again?, .unchanged?, nil:
      deliver(.failure(exchange.intake.failure(of: error ?? .aborted, info)))
    }
    return .done
  }
}
