// The cookies of one transfer, over all of its hops: what it begins with, and what it ends with.

internal import Curl
internal import DrayCore

/// What cookies were before and after a transfer, as libcurl reports them: both from one source, so that they compare.
public struct CookieReport: Sendable, Equatable {
  /// Those it began with.
  public var before: [String]
  /// Those it ended with.
  public var after: [String]
}

/// Hands a transfer's cookies to each handle that makes a request of it. Lives on the loop's thread.
struct TransferCookies {
  private let given: [String]?
  private var engine: CookieEngine?
  private var before: [String] = []

  /// - Parameter given: cookies to begin with, lines in Netscape's format; `nil` is to keep none and send none.
  init(_ given: [String]?) { self.given = given }

  /// Switches them on for the next request.
  mutating func apply(on handle: EasyHandle) throws(CurlError) {
    guard let given else { return }
    if let engine { return try handle.use(engine) }
    let engine = try CookieEngine()
    self.engine = engine
    try handle.use(engine)
    guard !given.isEmpty else { return }
    for line in given { handle.addCookie(line) }
    before = handle.cookies
  }

  /// What came of them; `nil` if there were none to keep.
  func report(from handle: EasyHandle?) -> CookieReport? {
    guard engine != nil, let handle else { return nil }
    let after = handle.cookies
    return before.isEmpty && after.isEmpty ? nil : CookieReport(before: before, after: after)
  }
}
