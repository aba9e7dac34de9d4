// Decides whether the content is the requested file: servers send login or error pages with status 200.

/// The facts about a file in addition to its bytes.
public struct ContentCheck: Sendable {
  /// The names that may imply the type, in order of precedence: from the URL, then of the target.
  public var names: [String]
  /// The requested names, in order of precedence: from `-o`, then from the URL. The first one that promises a type
  /// counts. A web page is not the file if the name promises another type.
  public var asked: [String]
  /// The required type, if given.
  public var expected: ExpectedType?
  /// The allowed types, which take precedence over the promises of the names.
  public var allowed: [ExpectedType]
  /// The head of the answer.
  public var head: ResponseHead?

  /// The verdict.
  public enum Verdict: Sendable, Equatable {
    case fine
    /// The file is probably not the requested one, for this reason.
    case odd(String)
    /// The file is a web page although another type was requested, as the text says.
    case page(String)
    /// The file is not of the required type, for this reason.
    case wrong(String)
  }

  /// Creates a check.
  public init(
    names: [String], asked: [String] = [], expected: ExpectedType? = nil, allowed: [ExpectedType] = [],
    head: ResponseHead? = nil
  ) {
    (self.names, self.asked, self.expected, self.allowed, self.head) = (names, asked, expected, allowed, head)
  }

  /// The names that may promise a type: from `-o`, from the URL, and from an earlier answer. If this answer names the
  /// file, that name promises nothing, because it came with the bytes.
  public static func asked(
    output: String?, urlName: String, fixedName: String?, _ head: ResponseHead?
  ) -> [String] {
    let own = head.flatMap { ContentDisposition.fileName($0.all("content-disposition")) }
    return [output, urlName, own == nil ? fixedName : nil].compactMap(\.self)
  }

  /// Servers give these types to unknown files.
  private static let vague: Set<String> = [
    MediaType.bytes, "binary/octet-stream", "application/x-download", "text/plain",
  ]

  private var mediaType: String? {
    head?.mediaType.map(\.essence).flatMap { ContentCheck.vague.contains($0) ? nil : $0 }
  }

  /// Whether the bytes are the file's, without a content coding.
  private var isPlain: Bool { head?.contentCodings.isEmpty ?? true }

  private var name: String? { names.first { !ContentKind.promised(by: $0).isEmpty } }

  /// The number of first bytes that ``verdict(_:)`` needs; 0 if none would help.
  public var lookLength: Int {
    guard isPlain else { return 0 }
    let kinds = (expected?.kinds ?? []).union(name.map(ContentKind.promised) ?? [])
    if expected?.isWide ?? false || kinds.contains(where: { $0 == .tar || $0 == .iso }) { return ContentKind.farLook }
    if kinds.contains(.pdf) { return ContentKind.pdfLook }
    if expected != nil || !kinds.isEmpty { return ContentKind.nearLook }
    return names.contains { FileName.isNeverPage($0) } ? ContentKind.nearLook : 0
  }

  /// The number of first bytes that ``isPage(_:_:)`` needs.
  public static let pageLook = ContentKind.nearLook

  /// Whether an answer is a web page, by its first bytes. If the bytes are missing or coded, the Content-Type decides.
  public static func isPage(_ start: [UInt8], _ head: ResponseHead?) -> Bool {
    if let head, start.isEmpty || !head.contentCodings.isEmpty { return head.mediaType?.isHTML ?? false }
    return ContentKind.found(in: start) == .webPage
  }

  /// The reason to reject the answer before its first byte; `nil` if there is none.
  public var refusal: String? {
    guard let expected, let type = mediaType else { return nil }
    let isPage = MediaType(type).isHTML
    // For a type with a signature the bytes decide, not the Content-Type, unless that says HTML.
    guard isPage || expected.kinds.isEmpty, !expected.matches(type) else { return nil }
    return "the server's file is \(type), expected \(expected)"
  }

  /// Returns the verdict on a file, given its first ``lookLength`` bytes, or all bytes of a shorter file.
  public func verdict(_ start: [UInt8]) -> Verdict {
    if let refusal { return .wrong(refusal) }
    guard isPlain else { return codedPage.map { .page($0) } ?? .fine }
    let found = ContentKind.found(in: start)
    if let expected {
      return mismatch(expected, found).map { .wrong("\($0), expected \(expected)") } ?? .fine
    }
    if isAllowed(found) || (found == .webPage && request?.isPage ?? false) { return .fine }
    if let page = page(found, start) { return .page(page) }
    return start.isEmpty ? .fine : oddity(found).map { .odd($0) } ?? .fine
  }

  private func mismatch(_ expected: ExpectedType, _ found: ContentKind?) -> String? {
    let kinds = expected.kinds
    if let found {
      if kinds.contains(found) { return nil }
      // A type without a signature may be based on a format that has one, such as ZIP, so only a web page is rejected.
      return kinds.isEmpty && found != .webPage ? nil : "it is \(found.words)"
    }
    guard !kinds.isEmpty, !expected.isWide, kinds.allSatisfy(\.isAlwaysMarked) else { return nil }
    let what = kinds.count == 1 ? kinds.first?.words : nil
    return "it is not \(what ?? "such a file") by its first bytes"
  }

  private func isAllowed(_ found: ContentKind?) -> Bool {
    allowed.contains { type in
      found.map(type.kinds.contains) ?? (mediaType.map(type.matches) ?? false)
    }
  }

  /// The reason why the file is taken for a web page instead of the requested type; `nil` if it is none, or if the
  /// requested type may be a page.
  ///
  /// The first bytes reveal most pages. A page may begin differently, for example with a comment. The Content-Type then
  /// decides, unless the name promises text, because servers label much text as HTML.
  private func page(_ found: ContentKind?, _ start: [UInt8]) -> String? {
    guard let promise, !isKept(promise) else { return nil }
    if found == .webPage { return promise.broken }
    guard found == nil, !start.isEmpty, isCalledPage, promise.isBinary else { return nil }
    return ContentKind.isText(start) ? promise.broken : nil
  }

  /// Like `page`, for a compressed file, whose bytes cannot be examined. A compressed file may be labelled with
  /// the type of its contents, like `page.html.gz`, and is accepted.
  private var codedPage: String? {
    guard expected == nil, !isAllowed(nil), isCalledPage, let promise, promise.isBinary, !promise.isCompressed else {
      return nil
    }
    return promise.broken
  }

  private var isCalledPage: Bool { head?.mediaType?.isHTML ?? false }

  /// Whether the Content-Type confirms the promised type of a file that begins like a page. Spreadsheets are often
  /// HTML.
  private func isKept(_ promise: ContentPromise) -> Bool {
    guard promise.mayBePage, !isCalledPage, head?.mediaType != nil else { return false }
    return promise.isBinary || mediaType != nil
  }

  private var request: ContentPromise? { asked.lazy.compactMap(ContentPromise.init).first }

  /// The type that the requested names promise; `nil` if web pages have this type, and outside of HTTP, which alone has
  /// login pages.
  private var promise: ContentPromise? {
    guard head?.isHTTP ?? true else { return nil }
    return request.flatMap { $0.isPage ? nil : $0 }
  }

  private func oddity(_ found: ContentKind?) -> String? {
    guard let name else {
      let promises = names.filter(FileName.isNeverPage).compactMap(ContentPromise.init)
      return found == .webPage && promises.contains { !isKept($0) }
        ? "it is a web page, which is probably not the expected file" : nil
    }
    let promised = ContentKind.promised(by: name)
    if let found {
      if promised.contains(found) || (found.isImage && promised[0].isImage) { return nil }
      return "it is \(found.words), not \(promised[0].words)"
    }
    return promised.allSatisfy(\.isAlwaysMarked) ? "it is not \(promised[0].words) by its first bytes" : nil
  }
}
