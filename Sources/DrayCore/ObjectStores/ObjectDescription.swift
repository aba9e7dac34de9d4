// The properties of an object besides its bytes, as header fields of the request that creates the object.

/// The properties with which an object is created.
public struct ObjectDescription: Sendable, Equatable {
  /// The media type.
  package var contentType: String?
  /// The name that the source suggests.
  package var fileName: String?
  /// The URL of the source without secrets.
  package var source: String?
  /// The ETag of the source's version.
  package var etag: String?
  /// The modification time of the source's version, as the source sent it.
  package var lastModified: String?
  /// The modification time of the source's version, in seconds since 1970.
  package var modified: Int64?
  /// The SHA-256 of the whole file in hexadecimal digits, if it is known before the upload.
  package var sha256: String?
  /// The options of the job.
  package var options: ObjectOptions

  /// Creates a description without properties of the source.
  package init(options: ObjectOptions = ObjectOptions()) { self.options = options }

  /// The name of the metadata field for the source's URL.
  package static let sourceField = "x-amz-meta-dray-source"
  /// The name of the metadata field for the source's time.
  package static let timeField = "x-amz-meta-dray-last-modified"
  /// The name of the metadata field for the source's ETag.
  package static let tagField = "x-amz-meta-dray-etag"
  /// The name of the metadata field for the SHA-256.
  package static let digestField = "x-amz-meta-dray-sha256"

  /// Returns the header fields for the object with this key.
  package func fields(key: String) -> [HeaderField] {
    var fields = [HeaderField("Content-Type", contentType ?? "application/octet-stream")]
    if let fileName, fileName != PathText.name(of: key) {
      fields.append(HeaderField("Content-Disposition", ObjectDescription.disposition(fileName)))
    }
    let own = [
      (ObjectDescription.sourceField, source), (ObjectDescription.tagField, etag),
      (ObjectDescription.timeField, lastModified), (ObjectDescription.digestField, sha256),
    ]
    for (name, value) in own {
      if let value, let safe = ObjectDescription.safe(value) { fields.append(HeaderField(name, safe)) }
    }
    for property in options.metadata ?? [] {
      fields.append(HeaderField("x-amz-meta-\(property.name)", property.value))
    }
    if let value = options.storageClass { fields.append(HeaderField("x-amz-storage-class", value)) }
    if let value = options.encryption {
      fields.append(HeaderField("x-amz-server-side-encryption", value.algorithm))
      if let key = value.key { fields.append(HeaderField("x-amz-server-side-encryption-aws-kms-key-id", key)) }
    }
    if let value = options.cannedACL { fields.append(HeaderField("x-amz-acl", value)) }
    if let tags = options.tags, !tags.isEmpty {
      let text = tags.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
      fields.append(HeaderField("x-amz-tagging", text))
    }
    return fields.filter { !$0.value.isEmpty }
  }

  private func encoded(_ text: String) -> String {
    String(decoding: PercentEncoding.strictlyEncoded(Array(text.utf8)), as: UTF8.self)
  }

  /// The maximum length of a value to write: all metadata of an object together may have at most 2 KiB.
  private static let longest = 512

  /// Encodes a text so that every server accepts it in a header field; `nil` if it is empty or too long.
  private static func safe(_ text: String) -> String? {
    let value =
      text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      ? text : String(decoding: PercentEncoding.strictlyEncoded(Array(text.utf8)), as: UTF8.self)
    return (1...longest).contains(value.utf8.count) ? value : nil
  }

  /// Returns a Content-Disposition that suggests the file name (RFC 6266 §4.3).
  private static func disposition(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C && $0 != 0x25 }
    if isPlain { return "attachment; filename=\"\(name)\"" }
    return "attachment; filename*=UTF-8''"
      + String(decoding: PercentEncoding.strictlyEncoded(Array(name.utf8)), as: UTF8.self)
  }
}
