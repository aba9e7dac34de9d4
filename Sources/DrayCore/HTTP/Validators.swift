// What identifies a version of a file, and when two answers are of the same one.

/// The validators of one answer: `ETag`, and `Last-Modified` with the `Date` that decides its strength
/// (RFC 9110 §8.8). All three are kept exactly as they were sent.
public struct Validators: Sendable, Equatable, Codable {
  /// The `ETag` field, quotes and `W/` included.
  public var etag: String?
  /// The `Last-Modified` field.
  public var lastModified: String?
  /// The `Date` field of the same answer.
  public var date: String?

  /// Makes the validators of an answer.
  public init(etag: String? = nil, lastModified: String? = nil, date: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }

  /// The `ETag`, where it is a strong one: `"…"` without `W/` (RFC 9110 §8.8.3).
  public var strongETag: String? {
    guard let etag, etag.utf8.count >= 2, etag.utf8.first == UInt8(ascii: "\""),
      etag.utf8.last == UInt8(ascii: "\""), !etag.utf8.dropFirst().dropLast().contains(UInt8(ascii: "\""))
    else { return nil }
    return etag
  }

  /// The `Last-Modified`, if it counts as strong: the `Date` of the same answer is at least a second later (RFC 9110
  /// §8.8.2.2: the file cannot have changed again within the second that the stamp names), and there is no
  /// `ETag` that would outrank it.
  public var strongLastModified: String? {
    guard etag == nil, let lastModified, let date,
      let modified = HTTPDate.parse(lastModified), let sent = HTTPDate.parse(date),
      sent - modified >= Validators.strongAge
    else { return nil }
    return lastModified
  }

  /// Seconds that must lie between `Last-Modified` and `Date`.
  static let strongAge: Int64 = 1

  /// Whether nothing identifies this version for certain.
  public var isWeak: Bool { strongETag == nil && strongLastModified == nil }

  /// Whether a 206 with the validators `answer` is of the version that these were recorded from, as far as
  /// validators can show. A strong `ETag` alone decides where one was recorded, and must be there again; a
  /// `Last-Modified` may be left out of a 206 (RFC 9110 §15.3.7) but may not differ; weak ones may not
  /// contradict each other.
  public func agree(with answer: Validators) -> Bool {
    if let strongETag { return Validators.isSame(strongETag, answer.etag) }
    if let etag, let other = answer.etag {
      guard Validators.isSame(Validators.opaque(etag), Validators.opaque(other)) else { return false }
    }
    if let lastModified, let other = answer.lastModified { return Validators.isSame(lastModified, other) }
    return true
  }

  /// Whether both are the same bytes (RFC 9110 §8.8.3.2): Unicode equivalence does not count.
  public static func isSame(_ one: some StringProtocol, _ other: (some StringProtocol)?) -> Bool {
    other.map { one.utf8.elementsEqual($0.utf8) } ?? false
  }

  /// How the version of `answer` differs, as a clause; `nil` if validators do not show it.
  func difference(from answer: Validators) -> String? {
    if let etag, !Validators.isSame(etag, answer.etag) { return "ETag was \(etag) and is \(answer.etag ?? "missing")" }
    if let lastModified, let other = answer.lastModified, !Validators.isSame(lastModified, other) {
      return "Last-Modified was \(lastModified) and is \(other)"
    }
    return nil
  }

  /// An entity tag without its weakness mark, for weak comparison (RFC 9110 §8.8.3.2).
  private static func opaque(_ etag: String) -> Substring {
    etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
  }
}
