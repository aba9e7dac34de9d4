internal import FoundationEssentials

/// The record of an unfinished upload to an object store, kept in a job's checkpoint: its ID, and the parts that the
/// server confirmed.
public struct ObjectUpload: Sendable, Equatable, Codable {
  /// A confirmed part.
  package struct Part: Sendable, Equatable, Codable {
    /// The number, beginning with 1.
    package var number: Int
    /// The length in bytes.
    package var size: Int64
    /// The ETag that the server gave, without quotes.
    package var etag: String
    /// The checksum in base64, if the upload has checksums.
    package var checksum: String?
    /// The SHA-256 of the part's first bytes in base64; an answer that ends after these bytes must repeat them (P18).
    package var head: String?
    /// The SHA-256 of the part's last 64 KiB in base64; an answer that continues the part must repeat them (P18).
    package var tail: String?

    /// Creates a part.
    package init(number: Int, size: Int64, etag: String, checksum: String? = nil, tail: String? = nil) {
      (self.number, self.size, self.etag) = (number, size, etag)
      (self.checksum, self.tail) = (checksum, tail)
    }
  }

  /// The key of the object.
  package var key: String
  /// The upload ID that the server gave.
  package var id: String
  /// Where the parts begin and end.
  package var plan: UploadPlan
  /// The checksum that the server keeps of each part; `nil` if the server keeps none.
  package var algorithm: DigestAlgorithm?
  /// Whether the server computes the object's checksum from the checksums of its parts, and not from its bytes.
  package var isComposite: Bool?
  /// The source's modification time, which the object's metadata records, in seconds since 1970.
  package var modified: Int64?
  /// The first bytes of the file in base64, which show the kind of the file.
  package var start: String?
  /// The confirmed parts, by number.
  package var parts: [Part]

  /// Creates a record.
  package init(key: String, id: String, plan: UploadPlan, algorithm: DigestAlgorithm? = nil, parts: [Part] = []) {
    (self.key, self.id, self.plan) = (key, id, plan)
    (self.algorithm, self.parts) = (algorithm, parts)
  }

  /// The first bytes of the file; empty if they are not known.
  package var startBytes: [UInt8] {
    get { start.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? [] }
    set { start = newValue.isEmpty ? nil : Data(newValue).base64EncodedString() }
  }

  /// The bytes of the confirmed parts.
  package var segments: SegmentSet {
    var all = SegmentSet()
    for part in parts {
      let lower = plan.range(of: part.number).lowerBound
      all.insert(lower..<lower + part.size)
    }
    return all
  }

  /// Returns the recorded parts that the server also lists with the same length, ETag and checksum. Only these parts
  /// count.
  package func confirmed(by listed: [Part]) -> [Part] {
    let there = Dictionary(listed.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    return parts.filter { mine in
      guard let other = there[mine.number], other.size == mine.size else { return false }
      guard ObjectTag.areEqual(other.etag, mine.etag) else { return false }
      guard let one = mine.checksum, let two = other.checksum else { return true }
      return one == two
    }
  }
}
