// The Refresh field, by which pages redirect browsers to their file.

/// The value of a `Refresh` field, read as browsers do (HTML Standard, "shared declarative refresh steps").
public struct RefreshField: Sendable, Equatable {
  /// Seconds to wait before.
  public var delay: Int64
  /// The target as written; `nil` reloads the same page.
  public var target: String?

  /// Reads a value; `nil` for one that a browser would ignore.
  public init?(_ value: String) {
    var rest = value.drop(while: \.isASCIISpace)
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty || rest.first == "." else { return nil }
    switch DecimalDigits(digits.utf8) {
    case .value(let seconds): delay = seconds
    case .overflow: delay = .max
    case .malformed: delay = 0
    }
    rest = rest[digits.endIndex...].drop { ("0"..."9").contains($0) || $0 == "." }
    guard let separator = rest.first else { return }
    guard separator == ";" || separator == "," || separator.isASCIISpace else { return nil }
    rest = rest.drop(while: \.isASCIISpace)
    if rest.first == ";" || rest.first == "," { rest = rest.dropFirst().drop(while: \.isASCIISpace) }
    let text = RefreshField.unquoted(RefreshField.withoutName(rest))
    target = text.isEmpty ? nil : String(text)
  }

  /// The text without the `url=` before it; some have only the URL.
  private static func withoutName(_ text: Substring) -> Substring {
    guard text.prefix(3).lowercased() == "url" else { return text }
    let after = text.dropFirst(3).drop(while: \.isASCIISpace)
    guard after.first == "=" else { return text }
    return after.dropFirst().drop(while: \.isASCIISpace)
  }

  /// The text between quotes, where it begins with one.
  private static func unquoted(_ text: Substring) -> Substring {
    guard let quote = text.first, quote == "\"" || quote == "'" else { return text.trimmingSpaces() }
    return text.dropFirst().prefix { $0 != quote }
  }
}

extension RefreshField {
  /// The longest delay of a `Refresh` that is followed, in seconds: longer ones are for people who read the page meanwhile.
  public static let longestDelay: Int64 = 10

  /// The target of a `Refresh` in an answer from `url`, and its delay in seconds.
  ///
  /// Only of a plain page: status 200, HTML, and not marked as a file (`Content-Disposition:
  /// attachment`). Any other answer with a `Refresh` is the file. A page that only reloads itself leads
  /// nowhere.
  public static func target(of head: ResponseHead, from url: RequestURL) -> (location: String, delay: Double)? {
    guard head.status == 200, head.mediaType?.isHTML ?? false, !ContentDisposition.isAttachment(head),
      let field = head.first("refresh").flatMap(RefreshField.init), let location = field.target
    else { return nil }
    if case .url(let target) = RequestURL.resolve(location: location, against: url), target == url { return nil }
    return (location, Double(min(field.delay, longestDelay)))
  }
}

extension Character {
  /// Whether it is white space to HTML: tab, line feed, form feed, carriage return, space.
  fileprivate var isASCIISpace: Bool {
    self == " " || self == "\t" || self == "\n" || self == "\r" || self == "\u{0C}" || self == "\r\n"
  }
}
