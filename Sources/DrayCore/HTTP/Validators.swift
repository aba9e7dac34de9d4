/// The validators in an answer, which identify a version of a file: `ETag`, and `Last-Modified` with the `Date` that
/// decides whether it is strong (RFC 9110 §8.8). All three are kept exactly as sent.
public struct Validators: Sendable, Equatable, Codable {
  /// The `ETag` field, including quotes and `W/`.
  public var etag: String?
  /// The `Last-Modified` field.
  public var lastModified: String?
  /// The `Date` field of the same answer.
  public var date: String?

  /// Creates the validators of an answer.
  public init(etag: String? = nil, lastModified: String? = nil, date: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }

  /// The `ETag` if it is strong: `"…"` without `W/` (RFC 9110 §8.8.3).
  public var strongETag: String? {
    guard let etag, etag.utf8.count >= 2, etag.utf8.first == UInt8(ascii: "\""),
      etag.utf8.last == UInt8(ascii: "\""), !etag.utf8.dropFirst().dropLast().contains(UInt8(ascii: "\""))
    else { return nil }
    return etag
  }

  /// The `Last-Modified` if it counts as strong. For that, the answer must have no `ETag`, which would take precedence,
  /// and a `Date` at least a second later, so that the file cannot have changed again within the second of the time
  /// stamp (RFC 9110 §8.8.2.2).
  public var strongLastModified: String? {
    guard etag == nil, let lastModified, let date,
      let modified = HTTPDate.parse(lastModified), let sent = HTTPDate.parse(date),
      sent - modified >= Validators.strongAge
    else { return nil }
    return lastModified
  }

  /// The `Last-Modified` in seconds since 1970; `nil` if there is none, or if it is invalid.
  package var modified: Int64? { lastModified.flatMap { HTTPDate.parse($0) } }

  /// How many seconds `Date` must be later than `Last-Modified`.
  static let strongAge: Int64 = 1

  /// Whether nothing identifies this version for certain.
  public var isWeak: Bool { strongETag == nil && strongLastModified == nil }

  /// Whether a 206 with the validators `answer` may be of the recorded version. If a strong `ETag` is recorded, nothing
  /// else matters, and the 206 must have the same one. A 206 may omit `Last-Modified` (RFC 9110 §15.3.7), but must not
  /// change it. Weak validators must not contradict each other.
  public func agree(with answer: Validators) -> Bool {
    if let strongETag { return Validators.isSame(strongETag, answer.etag) }
    if let etag, let other = answer.etag {
      guard Validators.isSame(Validators.opaque(etag), Validators.opaque(other)) else { return false }
    }
    if let lastModified, let other = answer.lastModified { return Validators.isSame(lastModified, other) }
    return true
  }

  /// Whether these validators show that their version is `other`: they have everything that identifies it. A strong
  /// `ETag` is enough.
  func show(_ other: Validators) -> Bool {
    guard other.agree(with: self) else { return false }
    return other.strongETag != nil
      || (other.etag == nil || etag != nil) && (other.lastModified == nil || lastModified != nil)
  }

  /// Whether the bytes of two entity tags are equal (RFC 9110 §8.8.3.2). Swift also regards strings as equal that
  /// differ in their bytes but are equivalent in Unicode.
  public static func isSame(_ one: some StringProtocol, _ other: (some StringProtocol)?) -> Bool {
    other.map { one.utf8.elementsEqual($0.utf8) } ?? false
  }

  /// Returns how the validators differ, as a clause; `nil` if they show no difference.
  func difference(from answer: Validators) -> String? {
    if let etag, !Validators.isSame(etag, answer.etag) { return "ETag was \(etag) and is \(answer.etag ?? "missing")" }
    if let lastModified, let other = answer.lastModified, !Validators.isSame(lastModified, other) {
      return "Last-Modified was \(lastModified) and is \(other)"
    }
    return nil
  }

  /// Returns an entity tag without its mark of weakness, for weak comparison (RFC 9110 §8.8.3.2).
  private static func opaque(_ etag: String) -> Substring {
    etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
  }
}
