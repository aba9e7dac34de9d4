// Keeps the cookies of a transfer across its redirects.

internal import Curl
internal import DrayCore

/// The cookies before and after a transfer. libcurl reports both, so that they can be compared.
public struct CookieReport: Sendable, Equatable {
  public var before: [String]
  public var after: [String]
}

/// Passes the cookies of a transfer to each handle that makes its requests. Confined to the loop's thread.
struct TransferCookies {
  private let given: [String]?
  /// libcurl's cookie engine; `nil` until cookies are enabled.
  private(set) var engine: CookieEngine?
  private var before: [String] = []

  /// - Parameters:
  ///   - given: The initial cookies, as lines in the Netscape format; with `nil`, no cookies are sent or kept.
  ///   - engine: A cookie engine without cookies, which is used if `given` is empty.
  init(_ given: [String]?, _ engine: CookieEngine? = nil) {
    self.given = given
    if let given, given.isEmpty { self.engine = engine }
  }

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

  /// Returns the cookies of the transfer; `nil` if it has none.
  func report(from handle: EasyHandle?) -> CookieReport? {
    guard engine != nil, let handle else { return nil }
    let after = handle.cookies
    return before.isEmpty && after.isEmpty ? nil : CookieReport(before: before, after: after)
  }
}
