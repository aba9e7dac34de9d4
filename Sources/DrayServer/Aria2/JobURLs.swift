// The URLs of a job. For aria2's clients they are all equal; dray fetches from the first one and uses the others as
// mirrors.

internal import DrayCore

struct JobURLs: Sendable, Equatable {
  private(set) var all: [RequestURL]
  /// The user name and the password that are part of the first URL.
  private(set) var user: RequestURL.UserInfo?

  /// The reason why a client must not add a URL.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  init(_ specification: JobSpecification) {
    all = [specification.request.url] + (specification.options.mirrors ?? [])
  }

  /// Reads the URLs of a new job. As in aria2, URLs that cannot be used are ignored as long as one can be used.
  /// - Parameter other: The URL of another job of a client. Jobs that are added together mostly have one server, and
  ///   such a URL is read faster.
  /// - Throws: The ``Refusal`` of the first URL if none can be used.
  init(_ texts: [String], near other: RequestURL? = nil) throws(Refusal) {
    all = []
    if texts.count == 1, let other, let url = RequestURL(texts[0].utf8, at: other) {
      all = [url]
      return
    }
    var first: Refusal?
    for text in texts {
      do throws(Refusal) {
        let parsed = try JobURLs.parse(text)
        if all.isEmpty { user = parsed.userInfo }
        if !all.contains(parsed.url) { all.append(parsed.url) }
      } catch {
        first = first ?? error
      }
    }
    guard !all.isEmpty else { throw first ?? Refusal(reason: "no URL was given") }
  }

  /// Parses a URL. A program that calls from outside is not the user: it cannot fetch local files, or anything that
  /// needs the user's keys.
  static func parse(_ text: String) throws(Refusal) -> RequestURL.Parsed {
    let parsed: RequestURL.Parsed
    do throws(URLParseError) {
      parsed = try RequestURL.parse(text)
    } catch {
      throw Refusal(reason: error.message)
    }
    // A URL that contains a hidden part in the form in which it was shown would fetch something else.
    guard !text.contains("=…"), !text.contains("=%E2%80%A6") else {
      throw Refusal(reason: "it has … instead of a secret: send the whole URL")
    }
    guard let scheme = Scheme(parsed.url), SchemePolicy.allows(scheme, from: .document) else {
      throw Refusal(reason: "URLs of the scheme \(parsed.url.scheme) cannot be added from here")
    }
    return parsed
  }

  /// Removes some URLs and adds others.
  /// - Parameter position: The index at which URLs are added; `nil` means the end.
  /// - Returns: The number of removed URLs and the number of added URLs. If no URL would remain, none is removed.
  mutating func change(removing unwanted: [String], adding wanted: [String], at position: Int?) -> (Int, Int) {
    var urls = all
    for text in unwanted {
      // Clients know URLs in the form in which they are shown.
      let url = try? JobURLs.parse(text).url
      if let place = urls.firstIndex(where: { $0 == url || $0.description == text }) { urls.remove(at: place) }
    }
    let deleted = all.count - urls.count
    let new = wanted.compactMap { try? JobURLs.parse($0) }
    urls.insert(contentsOf: new.map(\.url), at: min(position ?? urls.count, urls.count))
    guard !urls.isEmpty else { return (0, 0) }
    if urls.first != all.first { user = new.first { $0.url == urls.first }?.userInfo }
    all = urls
    return (deleted, new.count)
  }

  func apply(to specification: inout JobSpecification) {
    guard let first = all.first else { return }
    specification.request.url = first
    if let user { specification.request.takeUser(user.user, user.password) }
    let mirrors = Array(all.dropFirst())
    specification.options.mirrors = mirrors.isEmpty ? nil : mirrors
  }
}
