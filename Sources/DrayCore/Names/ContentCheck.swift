// Decides from the content whether a file is the requested one; servers send login and error pages even with status
// 200.

/// The known facts about a file besides its bytes.
package struct ContentCheck: Sendable {
  /// The names whose extensions may show the type, in order of precedence: from the URL, then of the target.
  package var names: [String]
  /// The requested names, in order of precedence: from `-o`, then from the URL. The first name that implies a type
  /// counts. If that type is not a web page, a web page is not the requested file.
  package var asked: [String]
  /// The required type, if given.
  package var expected: ExpectedType?
  /// The allowed types, which take precedence over the types that the names imply.
  package var allowed: [ExpectedType]
  /// The head of the answer.
  package var head: ResponseHead?

  /// The verdict.
  package enum Verdict: Sendable, Equatable {
    case fine
    /// The file is probably not the requested one, for the reason in the text.
    case odd(String)
    /// The file is a web page although another type was requested; the text is the reason.
    case page(String)
    /// The file is not of the required type, for the reason in the text.
    case wrong(String)
  }

  /// Creates a check.
  package init(
    names: [String], asked: [String] = [], expected: ExpectedType? = nil, allowed: [ExpectedType] = [],
    head: ResponseHead? = nil
  ) {
    (self.names, self.asked, self.expected, self.allowed, self.head) = (names, asked, expected, allowed, head)
  }

  /// Returns the requested names, which may imply a type: from `-o`, from the URL, and from an earlier answer. A name
  /// in this answer implies nothing, because it came with the bytes that are to be checked.
  package static func asked(
    output: String?, urlName: String, fixedName: String?, _ head: ResponseHead?
  ) -> [String] {
    let own = head.flatMap { ContentDisposition.fileName($0.all("content-disposition")) }
    return [output, urlName, own == nil ? fixedName : nil].compactMap(\.self)
  }

  /// Types that servers give to files of unknown type.
  private static let vague: Set<String> = [
    MediaType.bytes, "binary/octet-stream", "application/x-download", "text/plain",
  ]

  private var mediaType: String? {
    head?.mediaType.map(\.essence).flatMap { ContentCheck.vague.contains($0) ? nil : $0 }
  }

  /// Whether the bytes are those of the file itself, without a content coding.
  private var isPlain: Bool { head?.contentCodings.isEmpty ?? true }

  private var name: String? { names.first { !ContentKind.promised(by: $0).isEmpty } }

  /// The number of first bytes that ``verdict(_:)`` needs; 0 if bytes would not help.
  package var lookLength: Int {
    guard isPlain else { return 0 }
    let kinds = (expected?.kinds ?? []).union(name.map(ContentKind.promised) ?? [])
    if expected?.isWide ?? false || kinds.contains(where: { $0 == .tar || $0 == .iso }) { return ContentKind.farLook }
    if kinds.contains(.pdf) { return ContentKind.pdfLook }
    if expected != nil || !kinds.isEmpty { return ContentKind.nearLook }
    return names.contains { FileName.isNeverPage($0) } ? ContentKind.nearLook : 0
  }

  /// The number of first bytes that ``isPage(_:_:)`` needs.
  package static let pageLook = ContentKind.nearLook

  /// Whether an answer is a web page, by its first bytes. If the bytes are missing or coded, the Content-Type decides.
  package static func isPage(_ start: [UInt8], _ head: ResponseHead?) -> Bool {
    if let head, start.isEmpty || !head.contentCodings.isEmpty { return head.mediaType?.isHTML ?? false }
    return ContentKind.found(in: start) == .webPage
  }

  /// The reason to reject the answer before its body; `nil` if there is none.
  package var refusal: String? {
    guard let expected, let type = mediaType else { return nil }
    let isPage = MediaType(type).isHTML
    // If the required type has a signature, the bytes decide, unless the Content-Type says HTML.
    guard isPage || expected.kinds.isEmpty, !expected.matches(type) else { return nil }
    return "the server's file is \(type), expected \(expected)"
  }

  /// Returns the verdict on a file, given its first ``lookLength`` bytes, or all bytes of a shorter file.
  package func verdict(_ start: [UInt8]) -> Verdict {
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
      // A type without a signature may be based on a format that has one, such as ZIP: reject only web pages.
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

  /// Returns the reason why the file counts as a web page in place of the requested type; `nil` if it is not a page, or
  /// if the requested type may be a page.
  ///
  /// The first bytes reveal most pages. Other pages begin differently, for example with a comment. For these pages, the
  /// Content-Type decides, unless the name implies text, because servers label much text as HTML.
  private func page(_ found: ContentKind?, _ start: [UInt8]) -> String? {
    guard let promise, !isKept(promise) else { return nil }
    if found == .webPage { return promise.broken }
    guard found == nil, !start.isEmpty, isCalledPage, promise.isBinary else { return nil }
    return ContentKind.isText(start) ? promise.broken : nil
  }

  /// Returns the same reason for a compressed file, whose bytes cannot be examined. A compressed file that has the
  /// Content-Type of its contents, like `page.html.gz`, is accepted.
  private var codedPage: String? {
    guard expected == nil, !isAllowed(nil), isCalledPage, let promise, promise.isBinary, !promise.isCompressed else {
      return nil
    }
    return promise.broken
  }

  private var isCalledPage: Bool { head?.mediaType?.isHTML ?? false }

  /// Whether a file that begins like a page is accepted because the Content-Type confirms the requested type. Many
  /// spreadsheets, for example, are HTML.
  private func isKept(_ promise: ContentPromise) -> Bool {
    guard promise.mayBePage, !isCalledPage, head?.mediaType != nil else { return false }
    return promise.isBinary || mediaType != nil
  }

  private var request: ContentPromise? { asked.lazy.compactMap(ContentPromise.init).first }

  /// The type that the requested names imply; `nil` if web pages have that type, and for protocols other than HTTP, in
  /// which there are no login pages.
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
