// A place in an object store as text: `s3://BUCKET/PREFIX`. Keys are names, not paths, and are used exactly as typed.

/// A bucket, and the prefix of the keys of its objects.
///
/// In a job, the text of a place stands where a directory has its path. The text of an object is the text of its place,
/// a slash, and a name.
public struct ObjectPlace: Sendable, Hashable {
  /// The text before the bucket.
  package static let start = "s3://"
  /// The maximum length of a key in bytes.
  package static let longestKey = 1024

  /// The name of the bucket.
  package let bucket: String
  /// The prefix of the keys, without a slash at either end; empty for the whole bucket.
  package let prefix: String

  private init(bucket: String, prefix: String) { (self.bucket, self.prefix) = (bucket, prefix) }

  /// Whether a text is meant as a place or an object, even if it is malformed.
  package static func isMeant(by text: some StringProtocol) -> Bool { text.start(start.count).lowercased() == start }

  /// Reads a text that was checked before, such as the directory of a job; `nil` for a path.
  package init?(_ path: some StringProtocol) {
    guard path.hasPrefix(ObjectPlace.start), let place = try? ObjectPlace(parsing: path) else { return nil }
    self = place
  }

  /// Parses a place: `s3://BUCKET`, `s3://BUCKET/PREFIX`, with or without a slash at the end.
  package init(parsing text: some StringProtocol) throws(ObjectPlaceError) {
    guard ObjectPlace.isMeant(by: text) else { throw ObjectPlaceError("write s3://BUCKET/PREFIX/") }
    let rest = text.dropFirst(ObjectPlace.start.count)
    let bucket = rest.prefix { $0 != "/" }
    try ObjectPlace.checkBucket(bucket)
    var prefix = rest.dropFirst(bucket.count).dropFirst()
    if prefix.hasSuffix("/") { prefix.removeLast() }
    let isAlone = prefix.isEmpty && rest.dropFirst(bucket.count).count < 2
    if !isAlone { try ObjectPlace.checkKey(prefix) }
    self.init(bucket: String(bucket), prefix: String(prefix))
  }

  /// Parses the text of an object: `s3://BUCKET/KEY`.
  /// - Returns: The place, and the last component of the key.
  package static func object(
    parsing text: some StringProtocol
  ) throws(ObjectPlaceError) -> (place: ObjectPlace, name: String) {
    let whole = try ObjectPlace(parsing: text)
    guard !text.hasSuffix("/"), !whole.prefix.isEmpty else {
      throw ObjectPlaceError("it names no object: -d names a prefix, -o an object")
    }
    let (directory, name) = PathText.split(whole.prefix)
    return (ObjectPlace(bucket: whole.bucket, prefix: directory ?? ""), name)
  }

  /// The text: `s3://BUCKET` or `s3://BUCKET/PREFIX`, without a slash at the end.
  package var path: String { ObjectPlace.start + bucket + (prefix.isEmpty ? "" : "/" + prefix) }

  /// Returns the key of the object with this name. The name may contain slashes.
  package func key(of name: some StringProtocol) -> String { prefix.isEmpty ? String(name) : "\(prefix)/\(name)" }

  /// Returns the place at a relative path below this one.
  package func appending(_ below: some StringProtocol) throws(ObjectPlaceError) -> ObjectPlace {
    guard !below.isEmpty else { return self }
    let prefix = key(of: below)
    try ObjectPlace.checkKey(prefix)
    return ObjectPlace(bucket: bucket, prefix: prefix)
  }

  /// Whether this place is `other`, or below `other`.
  package func isBelow(_ other: ObjectPlace) -> Bool {
    bucket == other.bucket
      && (other.prefix.isEmpty || prefix == other.prefix || prefix.hasPrefix(other.prefix + "/"))
  }

  private static func checkBucket(_ bucket: some StringProtocol) throws(ObjectPlaceError) {
    let bytes = Array(bucket.utf8)
    if bytes.contains(where: { "@:".utf8.contains($0) }) {
      throw ObjectPlaceError(
        "an s3 target has no user and no port", advice: "another server than Amazon's is set with \(.endpoint)")
    }
    guard BucketName.isValid(bytes) else {
      throw ObjectPlaceError(
        "\(quoted(bucket)) is not the name of a bucket", advice: "3 to 63 of a-z, 0-9, - and . after s3://")
    }
  }

  /// Checks a key, or the prefix of a key. Refuses empty components, `.` and `..`, because tools and servers that map
  /// keys to paths change such keys. Refuses control characters, because lists of keys are XML, which cannot contain
  /// them.
  package static func checkKey(_ key: some StringProtocol) throws(ObjectPlaceError) {
    guard key.utf8.count <= longestKey else {
      throw ObjectPlaceError("the key has \(key.utf8.count) bytes: at most \(longestKey) are possible")
    }
    for component in key.split(separator: "/", omittingEmptySubsequences: false) {
      if component.isEmpty { throw ObjectPlaceError("a part of the key between slashes is empty") }
      if component == "." || component == ".." {
        throw ObjectPlaceError("the key contains \(component), which is a name there and leads nowhere")
      }
    }
    let isPrintable = key.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && !$0.properties.isNoncharacterCodePoint
    }
    guard isPrintable else { throw ObjectPlaceError("the key contains a control character") }
  }
}
