/// The properties of an object as its server states them.
public struct ObjectFacts: Sendable, Equatable {
  /// The length in bytes.
  package var size: Int64
  /// The ETag without quotes.
  package var etag: String
  /// The checksums that the server stores for the whole object.
  package var digests: [DigestValue]
  /// A checksum of the parts' checksums, as the server sent it: base64, a hyphen, and the number of parts.
  package var compositeChecksum: String?
  /// The time of the last change, in seconds since 1970.
  package var modified: Int64?
  /// The media type.
  package var contentType: String?
  /// The algorithm of encryption by the server.
  package var encryption: String?
  /// The users' metadata; the names are lowercase, without `x-amz-meta-`.
  package var metadata: [String: String]

  /// Reads the head of an answer to HEAD or GET.
  package init?(_ head: ResponseHead) {
    guard let length = head.first("content-length").flatMap({ Int64($0) }) else { return nil }
    size = length
    etag = ObjectTag.bare(head.first("etag") ?? "")
    digests = []
    let isComposite = head.first("x-amz-checksum-type")?.uppercased() == "COMPOSITE"
    for (name, algorithm) in ObjectFacts.checksums {
      guard let text = head.first(name) else { continue }
      if let whole = try? DigestValue.parse("\(algorithm.rawValue)=\(text)"), !isComposite {
        digests.append(whole)
      } else {
        compositeChecksum = text
      }
    }
    modified = head.first("last-modified").flatMap { HTTPDate.parse($0) }
    contentType = head.first("content-type")
    encryption = head.first("x-amz-server-side-encryption")
    metadata = [:]
    for field in head.fields where field.name.lowercased().hasPrefix("x-amz-meta-") {
      metadata[String(field.name.lowercased().dropFirst("x-amz-meta-".count))] = field.value
    }
  }

  private static let checksums: [(String, DigestAlgorithm)] = [
    ("x-amz-checksum-crc64nvme", .crc64nvme), ("x-amz-checksum-crc32c", .crc32c), ("x-amz-checksum-crc32", .crc32),
    ("x-amz-checksum-sha256", .sha256), ("x-amz-checksum-sha1", .sha1),
  ]

  /// Whether an ETag that looks like an MD5 is the MD5 of the bytes. It is not the MD5 if the object is encrypted by
  /// the key management service.
  package var hasPlainTag: Bool { !(encryption?.hasPrefix("aws:kms") ?? false) }

  /// Whether another answer is about the same object, and the object was not overwritten between the two.
  package func isSame(as other: ObjectFacts) -> Bool {
    ObjectTag.areEqual(etag, other.etag) && size == other.size && modified == other.modified
  }

  /// Whether dray wrote the object.
  package var isOwn: Bool { metadata["dray-source"] != nil }

  /// The time of the source's version, as dray recorded it, in seconds since 1970.
  package var sourceTime: Int64? { metadata["dray-last-modified"].flatMap { HTTPDate.parse($0) } }

  /// The identity of the object. If dray wrote the object, the identity contains the source's time, so that dray knows
  /// the identity before the upload ends.
  package func identity(bucket: String) -> FileIdentity {
    ObjectFacts.identity(bucket: bucket, etag: etag, size: size, modified: isOwn ? sourceTime : modified)
  }

  /// Returns the identity of an object.
  package static func identity(bucket: String, etag: String, size: Int64, modified: Int64?) -> FileIdentity {
    FileIdentity(
      device: ObjectTag.hash(bucket), inode: ObjectTag.number(etag), size: size,
      modified: FileIdentity.nanoseconds(seconds: Int(modified ?? 0), fraction: 0))
  }
}
