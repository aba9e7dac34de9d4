// Whether the content is the requested file: servers send login or error pages with status 200.

/// What is known of a file in addition to its bytes.
public struct ContentCheck: Sendable {
  /// Names that imply its type, of which the first that does counts: that of the URL, that of the target.
  public var names: [String]
  /// Names that say what was asked for, of which the first that promises a type counts: that of `-o`, that of the URL. A web page
  /// in the place of what they promise is not the file.
  public var asked: [String]
  /// The required type, if given.
  public var expected: ExpectedType?
  /// Types that it may be of, whatever its names promise.
  public var allowed: [ExpectedType]
  /// Its answer.
  public var head: ResponseHead?

  /// The verdict.
  public enum Verdict: Sendable, Equatable {
    case fine
    /// It is probably not the requested file, for this reason.
    case odd(String)
    /// It is a web page, where what was asked for is something else: for this reason it is not the file.
    case page(String)
    /// It is not of the required type, for this reason.
    case wrong(String)
  }

  /// Creates the question.
  public init(
    names: [String], asked: [String] = [], expected: ExpectedType? = nil, allowed: [ExpectedType] = [],
    head: ResponseHead? = nil
  ) {
    (self.names, self.asked, self.expected, self.allowed, self.head) = (names, asked, expected, allowed, head)
  }

  /// The names that promise a kind of file: those of `-o`, of the URL, and of an earlier answer. A name that comes with
  /// the bytes promises nothing.
  public static func asked(
    output: String?, urlName: String, fixedName: String?, _ head: ResponseHead?
  ) -> [String] {
    let own = head.flatMap { ContentDisposition.fileName($0.all("content-disposition")) }
    return [output, urlName, own == nil ? fixedName : nil].compactMap(\.self)
  }

  /// Types that servers give to unknown files.
  private static let vague: Set<String> = [
    MediaType.bytes, "binary/octet-stream", "application/x-download", "text/plain",
  ]

  private var mediaType: String? {
    head?.mediaType.map(\.essence).flatMap { ContentCheck.vague.contains($0) ? nil : $0 }
  }

  /// Whether its bytes are those of the file, not of a coding that the server put around it.
  private var isPlain: Bool { head?.contentCodings.isEmpty ?? true }

  private var name: String? { names.first { !ContentKind.promised(by: $0).isEmpty } }

  /// How many of its first bytes ``verdict(_:)`` needs; 0 if they would not help.
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

  /// Whether an answer is a web page, by its first bytes. Coded or missing bytes prove nothing; then the Content-Type
  /// decides.
  public static func isPage(_ start: [UInt8], _ head: ResponseHead?) -> Bool {
    if let head, start.isEmpty || !head.contentCodings.isEmpty { return head.mediaType?.isHTML ?? false }
    return ContentKind.found(in: start) == .webPage
  }

  /// What is wrong with the answer, before a byte of the file is received; `nil` if nothing is.
  public var refusal: String? {
    guard let expected, let type = mediaType else { return nil }
    let isPage = MediaType(type).isHTML
    // For a kind with a signature the bytes decide, not the server's type; but a page is really a page.
    guard isPage || expected.kinds.isEmpty, !expected.matches(type) else { return nil }
    return "the server's file is \(type), expected \(expected)"
  }

  /// Judges a file by its first bytes, ``lookLength`` of them, or all where it has fewer.
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
      // Formats without a mark of their own are often made of others: an unlisted type may be a ZIP archive.
      return kinds.isEmpty && found != .webPage ? nil : "it is \(found.words)"
    }
    guard !kinds.isEmpty, !expected.isWide, kinds.allSatisfy(\.isAlwaysMarked) else { return nil }
    return "it does not begin like such a file"
  }

  private func isAllowed(_ found: ContentKind?) -> Bool {
    allowed.contains { type in
      found.map(type.kinds.contains) ?? (mediaType.map(type.matches) ?? false)
    }
  }

  /// Why it is a page, and not what was asked for; `nil` if it is not a page, or may be one.
  ///
  /// The first bytes reveal most pages. One that begins in another way, with a comment say, is known by the server's type, if what
  /// was promised is not text: servers call much text HTML.
  private func page(_ found: ContentKind?, _ start: [UInt8]) -> String? {
    guard let promise, !isKept(promise) else { return nil }
    if found == .webPage { return promise.broken }
    guard found == nil, !start.isEmpty, isCalledPage, promise.isBinary else { return nil }
    return ContentKind.isText(start) ? promise.broken : nil
  }

  /// The same where the server put a coding around it: its bytes say nothing. What is compressed itself may be what the coding is
  /// about: `page.html.gz`.
  private var codedPage: String? {
    guard expected == nil, !isAllowed(nil), isCalledPage, let promise, promise.isBinary, !promise.isCompressed else {
      return nil
    }
    return promise.broken
  }

  /// Whether the server says that it is a page.
  private var isCalledPage: Bool { head?.mediaType?.isHTML ?? false }

  /// Whether the server's type confirms that a file which begins like a page is of the promised kind. Spreadsheets are
  /// often HTML.
  private func isKept(_ promise: ContentPromise) -> Bool {
    guard promise.mayBePage, !isCalledPage, head?.mediaType != nil else { return false }
    return promise.isBinary || mediaType != nil
  }

  /// What was asked for, by its name.
  private var request: ContentPromise? { asked.lazy.compactMap(ContentPromise.init).first }

  /// What a page breaks. Only HTTP has pages to log in.
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
    return promised.allSatisfy(\.isAlwaysMarked) ? "it does not begin like \(promised[0].words)" : nil
  }
}
