// Reads the digests in an answer, and decides which of them are for the whole file.

extension [SourcedDigest] {
  /// The best of these digests: only this one is worth computing. If two digests of one algorithm differ, neither
  /// counts.
  public var best: SourcedDigest? {
    filter { one in allSatisfy { $0.digest.algorithm != one.digest.algorithm || $0.digest == one.digest } }
      .min { $0.digest.algorithm.rank < $1.digest.algorithm.rank }
  }

  /// A clause saying that two digests of one algorithm differ and are ignored; `nil` if none do.
  public var contradiction: String? {
    for one in self {
      guard let other = first(where: { $0.digest.algorithm == one.digest.algorithm && $0.digest != one.digest })
      else { continue }
      let who =
        one.source == other.source
        ? "\(one.source.rawValue) contradicts itself"
        : "\(one.source.rawValue) and \(other.source.rawValue) contradict each other"
      return "the server's \(who): their digests were ignored"
    }
    return nil
  }

  /// Returns the digest of an algorithm; `nil` if there is none, or if several digests differ.
  func best(of algorithm: DigestAlgorithm) -> SourcedDigest? { filter { $0.digest.algorithm == algorithm }.best }

  /// Whether the best digest proves which version of the file this is.
  public var identifies: Bool { best?.digest.algorithm.identifies ?? false }

  /// Returns the difference between this file and the file with the digests `others`, as a clause; `nil` if the digests
  /// show none.
  public func difference(from others: [SourcedDigest]) -> String? {
    for mine in self {
      guard
        let theirs = others.first(where: { $0.source == mine.source && $0.digest.algorithm == mine.digest.algorithm })
      else { continue }
      if theirs.digest != mine.digest { return "\(mine.source.rawValue) was \(mine.digest) and is \(theirs.digest)" }
    }
    return nil
  }
}

extension ResponseHead {
  /// The digests that the answer offers for the whole file, in the order of their fields.
  ///
  /// `Repr-Digest` (RFC 9530 §3) and its predecessor `Digest` (RFC 3230 §4.3.2) are for the whole file, even in a 206.
  /// `Content-Digest` (RFC 9530 §2) and `Content-MD5` (RFC 1864) are for the content of this answer, which may be a
  /// part. An answer with a content coding offers no digests, because the coding may have changed the bytes.
  public var offeredDigests: [SourcedDigest] {
    guard status == 200 || status == 206, contentCodings.isEmpty else { return [] }
    let isWhole = status == 200 || isWholePart
    var found: [SourcedDigest] = []
    // Read all fields of the same name together, and only once, no matter how many there are (P13).
    var read: Set<String> = []
    for field in fields {
      guard DigestField.mayBeNamed(field.name),
        let kind = DigestField.all[field.name.lowercased()], isWhole || kind.isOfWhole,
        read.insert(kind.name).inserted
      else { continue }
      found += DigestField.few(kind.digests(of: self)).map { SourcedDigest($0, DigestSource(rawValue: kind.name)) }
    }
    return found
  }

  /// Returns the digests that this answer offers only in its trailers (RFC 9530 §2 and §3). A server that generates a
  /// file while sending it knows the digests only at the end.
  public func offeredDigests(in trailers: [HeaderField]) -> [SourcedDigest] {
    let full = withDigests(of: trailers)
    guard full.fields.count > fields.count else { return [] }
    let known = offeredDigests
    return full.offeredDigests.filter { !known.contains($0) }
  }

  /// Returns this head with the digests from the trailers added.
  public func withDigests(of trailers: [HeaderField]) -> ResponseHead {
    var full = self
    full.fields += trailers.filter { DigestField.all[$0.name.lowercased()] != nil }
    return full
  }
}

extension ResponseHead {
  /// Returns the digest of a partial answer's content: `Content-Digest` (RFC 9530 §2) or `Content-MD5` (RFC 1864).
  /// Returns `nil` for any other answer, and if no digest can be trusted.
  /// - Parameter whole: The known digests of the whole file. Some servers repeat its `Content-MD5` with each part; such
  ///   a digest does not count.
  public func contentDigest(knowing whole: [SourcedDigest]) -> SourcedDigest? {
    guard status == 206, contentCodings.isEmpty else { return nil }
    let found = ["content-digest", "content-md5"].compactMap { DigestField.all[$0] }.flatMap { field in
      field.digests(of: self).map { SourcedDigest($0, DigestSource(rawValue: field.name)) }
    }
    return found.filter { $0.source.rawValue != "Content-MD5" || !whole.contains($0) }.best
  }
}

struct DigestField: Sendable {
  enum Form: Sendable {
    /// A dictionary of byte sequences (RFC 9651).
    case dictionary
    /// `SHA-256=BASE64,MD5=BASE64` (RFC 3230).
    case pairs
    /// One digest in base64 or hexadecimal digits.
    case value(DigestAlgorithm)
  }

  /// The name of the field, as shown to users.
  let name: String
  let form: Form
  /// Whether the digest is for the whole file, even in a partial answer.
  let isOfWhole: Bool

  static let all: [String: DigestField] = Dictionary(
    uniqueKeysWithValues: known.map { ($0.name.lowercased(), $0) })

  /// The lengths of the known names in bytes, as a set of bits. Few other fields have names of these lengths.
  private static let lengths = known.reduce(UInt64(0)) { $0 | 1 << UInt64($1.name.utf8.count) }

  /// Whether a field may have digests, according to the length of its name.
  static func mayBeNamed(_ name: String) -> Bool { lengths & (1 << UInt64(name.utf8.count)) != 0 }

  private static let known = [
    DigestField(name: "Repr-Digest", form: .dictionary, isOfWhole: true),
    DigestField(name: "Content-Digest", form: .dictionary, isOfWhole: false),
    DigestField(name: "Digest", form: .pairs, isOfWhole: true),
    DigestField(name: "Content-MD5", form: .value(.md5), isOfWhole: false),
    // Google Cloud Storage sends the digests of the stored object with every answer.
    DigestField(name: "x-goog-hash", form: .pairs, isOfWhole: true),
    DigestField(name: "x-amz-checksum-sha256", form: .value(.sha256), isOfWhole: false),
    DigestField(name: "x-amz-checksum-sha1", form: .value(.sha1), isOfWhole: false),
    DigestField(name: "x-amz-checksum-crc64nvme", form: .value(.crc64nvme), isOfWhole: false),
    DigestField(name: "x-amz-checksum-crc32c", form: .value(.crc32c), isOfWhole: false),
    DigestField(name: "x-amz-checksum-crc32", form: .value(.crc32), isOfWhole: false),
    // The fields of Azure Blob Storage and of Artifactory.
    DigestField(name: "x-ms-blob-content-md5", form: .value(.md5), isOfWhole: true),
    DigestField(name: "X-Checksum-Sha256", form: .value(.sha256), isOfWhole: true),
    DigestField(name: "X-Checksum-Sha1", form: .value(.sha1), isOfWhole: true),
    DigestField(name: "X-Checksum-Md5", form: .value(.md5), isOfWhole: true),
  ]

  /// Returns for each algorithm the first digest, and the first one that contradicts it. More digests are not needed,
  /// and a head may contain thousands (P13).
  static func few(_ digests: [DigestValue]) -> [DigestValue] {
    var kept: [DigestAlgorithm: [DigestValue]] = [:]
    return digests.filter { digest in
      let known = kept[digest.algorithm, default: []]
      guard known.count < 2, !known.contains(digest) else { return false }
      kept[digest.algorithm, default: []].append(digest)
      return true
    }
  }

  /// Returns the digests in this field of a head; digests that cannot be read are ignored.
  func digests(of head: ResponseHead) -> [DigestValue] {
    switch form {
    case .dictionary:
      return StructuredField.byteSequences(head.all(name)).compactMap { DigestField.digest($0.key, $0.base64) }
    case .pairs:
      // The field is for the stored object, but the object was decompressed on the way.
      guard head.first("x-goog-stored-content-encoding").map({ $0 == "identity" }) ?? true else { return [] }
      return head.all(name).flatMap { $0.split(separator: ",") }.compactMap { pair in
        let pair = pair.trimmingSpaces()
        guard let mark = pair.firstIndex(of: "=") else { return nil }
        return DigestField.digest(String(pair[..<mark]), String(pair[pair.index(after: mark)...]))
      }
    case .value(let algorithm):
      // After a multipart upload, S3 sends a checksum of the parts' checksums.
      guard head.first("x-amz-checksum-type")?.uppercased() != "COMPOSITE" || !name.hasPrefix("x-amz") else {
        return []
      }
      return head.all(name).compactMap { try? DigestValue.parse("\(algorithm.rawValue)=\($0)") }
    }
  }

  private static func digest(_ name: String, _ text: String) -> DigestValue? {
    DigestAlgorithm(named: name).flatMap { try? DigestValue.parse("\($0.rawValue)=\(text)") }
  }
}
