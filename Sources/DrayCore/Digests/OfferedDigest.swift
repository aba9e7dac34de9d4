// Digests that an answer offers: which header fields have them, and which of them apply to the whole file.

/// The source of a file's digest, as shown to users.
public struct DigestSource: Sendable, Hashable, Codable, RawRepresentable {
  /// The words: `given`, the name of a header field, `Metalink`, the URL of a list.
  public let rawValue: String

  /// Creates a source from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The user.
  public static let given = DigestSource(rawValue: "given")
  /// A Metalink file (RFC 5854).
  public static let metalink = DigestSource(rawValue: "Metalink")
  /// A catalog.
  public static let catalog = DigestSource(rawValue: "catalog")
  /// None: it was computed from the file on disk.
  public static let computed = DigestSource(rawValue: "computed")
}

extension [SourcedDigest] {
  /// The best of them: the one that is worth computing. If two of one algorithm differ, neither counts.
  public var best: SourcedDigest? {
    filter { one in allSatisfy { $0.digest.algorithm != one.digest.algorithm || $0.digest == one.digest } }
      .min { $0.digest.algorithm.rank < $1.digest.algorithm.rank }
  }

  /// That two of one algorithm differ, and so are ignored, as a clause; `nil` if none do.
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

  /// The one of an algorithm; `nil` if there is none, or they differ.
  func best(of algorithm: DigestAlgorithm) -> SourcedDigest? { filter { $0.digest.algorithm == algorithm }.best }

  /// Whether one of them proves which version of a file some bytes are of.
  public var identifies: Bool { best?.digest.algorithm.identifies ?? false }

  /// How the file of `others` differs, as a clause; `nil` if the digests do not say.
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
  /// The digests of the whole file that this answer offers, in the order of its fields.
  ///
  /// `Repr-Digest` (RFC 9530 §3) and its forerunner `Digest` (RFC 3230 §4.3.2) are those of the whole in a 206, too;
  /// `Content-Digest` (RFC 9530 §2) and `Content-MD5` (RFC 1864) are those of what this answer carries. What a coding
  /// may have changed on the way is ignored.
  public var offeredDigests: [SourcedDigest] {
    guard status == 200 || status == 206, contentCodings.isEmpty else { return [] }
    let isWhole = status == 200 || isWholePart
    var found: [SourcedDigest] = []
    // Fields of one name are read together and once, however many there are (P13).
    var read: Set<String> = []
    for field in fields {
      guard field.name.utf8.count <= DigestField.longestName,
        let kind = DigestField.all[field.name.lowercased()], isWhole || kind.isOfWhole,
        read.insert(kind.name).inserted
      else { continue }
      found += DigestField.few(kind.digests(of: self)).map { SourcedDigest($0, DigestSource(rawValue: kind.name)) }
    }
    return found
  }
}

extension ResponseHead {
  /// The digest of a part's own content: `Content-Digest` (RFC 9530 §2), or `Content-MD5` (RFC 1864). `nil` for
  /// any other answer, or if there is none that can be trusted.
  /// - Parameter whole: the digests of the whole file. Some servers repeat its `Content-MD5` with each part.
  public func contentDigest(knowing whole: [SourcedDigest]) -> SourcedDigest? {
    guard status == 206, contentCodings.isEmpty else { return nil }
    let found = ["content-digest", "content-md5"].compactMap { DigestField.all[$0] }.flatMap { field in
      field.digests(of: self).map { SourcedDigest($0, DigestSource(rawValue: field.name)) }
    }
    return found.filter { $0.source.rawValue != "Content-MD5" || !whole.contains($0) }.best
  }
}

/// A header field that has digests.
struct DigestField: Sendable {
  /// How its value is written.
  enum Form: Sendable {
    /// A dictionary of byte sequences (RFC 9651).
    case dictionary
    /// `SHA-256=BASE64,MD5=BASE64` (RFC 3230).
    case pairs
    /// One digest, in base64 or hexadecimal digits.
    case value(DigestAlgorithm)
  }

  /// Its name as shown to users.
  let name: String
  let form: Form
  /// Whether it applies to the whole file even in an answer with a part.
  let isOfWhole: Bool

  /// All that are known, by their names in lower case.
  static let all: [String: DigestField] = Dictionary(
    uniqueKeysWithValues: known.map { ($0.name.lowercased(), $0) })

  /// Bytes of the longest name.
  static let longestName = known.map(\.name.utf8.count).max() ?? 0

  private static let known = [
    DigestField(name: "Repr-Digest", form: .dictionary, isOfWhole: true),
    DigestField(name: "Content-Digest", form: .dictionary, isOfWhole: false),
    DigestField(name: "Digest", form: .pairs, isOfWhole: true),
    DigestField(name: "Content-MD5", form: .value(.md5), isOfWhole: false),
    // Google Cloud Storage sends those of the stored object with every answer.
    DigestField(name: "x-goog-hash", form: .pairs, isOfWhole: true),
    DigestField(name: "x-amz-checksum-sha256", form: .value(.sha256), isOfWhole: false),
    DigestField(name: "x-amz-checksum-sha1", form: .value(.sha1), isOfWhole: false),
    DigestField(name: "x-amz-checksum-crc64nvme", form: .value(.crc64nvme), isOfWhole: false),
    DigestField(name: "x-amz-checksum-crc32c", form: .value(.crc32c), isOfWhole: false),
    DigestField(name: "x-amz-checksum-crc32", form: .value(.crc32), isOfWhole: false),
    // Azure's blobs, and Artifactory.
    DigestField(name: "x-ms-blob-content-md5", form: .value(.md5), isOfWhole: true),
    DigestField(name: "X-Checksum-Sha256", form: .value(.sha256), isOfWhole: true),
    DigestField(name: "X-Checksum-Sha1", form: .value(.sha1), isOfWhole: true),
    DigestField(name: "X-Checksum-Md5", form: .value(.md5), isOfWhole: true),
  ]

  /// The first digest of each algorithm, and the first that contradicts it: any more add nothing, and a head has
  /// room for thousands (P13).
  static func few(_ digests: [DigestValue]) -> [DigestValue] {
    var kept: [DigestAlgorithm: [DigestValue]] = [:]
    return digests.filter { digest in
      let known = kept[digest.algorithm, default: []]
      guard known.count < 2, !known.contains(digest) else { return false }
      kept[digest.algorithm, default: []].append(digest)
      return true
    }
  }

  /// The digests in the fields of this name; unreadable ones are ignored.
  func digests(of head: ResponseHead) -> [DigestValue] {
    switch form {
    case .dictionary:
      return StructuredField.byteSequences(head.all(name)).compactMap { DigestField.digest($0.key, $0.base64) }
    case .pairs:
      // An object that is stored compressed and was decompressed on the way differs from the stored one.
      guard head.first("x-goog-stored-content-encoding").map({ $0 == "identity" }) ?? true else { return [] }
      return head.all(name).flatMap { $0.split(separator: ",") }.compactMap { pair in
        let pair = pair.trimmingSpaces()
        guard let mark = pair.firstIndex(of: "=") else { return nil }
        return DigestField.digest(String(pair[..<mark]), String(pair[pair.index(after: mark)...]))
      }
    case .value(let algorithm):
      // For a multipart upload, S3 gives the checksum of the parts' checksums, with their number after a dash.
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
