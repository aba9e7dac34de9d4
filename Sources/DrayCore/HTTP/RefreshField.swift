// The `Refresh` field, by which pages lead browsers to a file.

/// The value of the field, read as browsers do (HTML Standard, "shared declarative refresh steps").
package struct RefreshField: Sendable, Equatable {
  /// The delay in seconds.
  package var delay: Int64
  /// The target as written; `nil` reloads the same page.
  package var target: String?

  /// Reads a value; `nil` if a browser would ignore it.
  package init?(_ value: String) {
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

  /// Returns the text after `url=`, or the whole text if that is missing.
  private static func withoutName(_ text: Substring) -> Substring {
    guard text.prefix(3).lowercased() == "url" else { return text }
    let after = text.dropFirst(3).drop(while: \.isASCIISpace)
    guard after.first == "=" else { return text }
    return after.dropFirst().drop(while: \.isASCIISpace)
  }

  /// Returns the text between quotes, if it begins with a quote.
  private static func unquoted(_ text: Substring) -> Substring {
    guard let quote = text.first, quote == "\"" || quote == "'" else { return text.trimmingSpaces() }
    return text.dropFirst().prefix { $0 != quote }
  }
}

extension RefreshField {
  /// The longest delay that is respected, in seconds. Longer delays are meant for people who read the page first, and
  /// are shortened to this.
  package static let longestDelay: Int64 = 10

  /// Returns the target of a `Refresh` in an answer from `url`, and the delay in seconds.
  ///
  /// It counts only in a plain page: status 200, HTML, and not marked as a file (`Content-Disposition: attachment`).
  /// Any other answer with this field is the file itself. The result is `nil` for a page that only reloads itself.
  package static func target(of head: ResponseHead, from url: RequestURL) -> (location: String, delay: Double)? {
    guard head.status == 200, head.mediaType?.isHTML ?? false, !ContentDisposition.isAttachment(head),
      let field = head.first("refresh").flatMap(RefreshField.init), let location = field.target
    else { return nil }
    if case .url(let target) = RequestURL.resolve(location: location, against: url), target == url { return nil }
    return (location, Double(min(field.delay, longestDelay)))
  }
}

extension Character {
  /// Whether this is a tab, line feed, form feed, carriage return or space.
  fileprivate var isASCIISpace: Bool {
    self == " " || self == "\t" || self == "\n" || self == "\r" || self == "\u{0C}" || self == "\r\n"
  }
}
