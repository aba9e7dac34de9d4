// The answer to ListObjectsV2 of S3: keys below a prefix, a thousand at a time.

public import DrayCore

/// Reads the answers of S3.
public enum S3Listing {
  private static let kind = "a listing of S3"

  /// The entries of an answer. Keys that end with a slash are what some programs make of directories: no files.
  /// - Parameter directory: the `s3` URL of bucket and prefix; its path ends with a slash.
  /// - Throws: ``DocumentError`` for what is not such an answer.
  public static func parse(_ bytes: [UInt8], of directory: RequestURL) throws(DocumentError) -> Listing {
    let root = try XMLTree.parse(try DocumentText.xml(bytes, kind: kind), kind: kind)
    guard root.name == "ListBucketResult" else {
      throw DocumentError(kind, "its root is \(quote(root.name)), not ListBucketResult", line: root.line)
    }
    let isEncoded = root.text(of: "EncodingType") == "url"
    guard let bucket = directory.bucket else { throw DocumentError(kind, "it was not asked for by an s3 URL") }
    var listing = Listing()
    for object in root.all("Contents") {
      guard let text = object.child("Key")?.text, !text.isEmpty else {
        throw DocumentError(kind, "an object has no key", line: object.line)
      }
      let key = isEncoded ? decoded(text) : Array(text.utf8)
      guard key.last != UInt8(ascii: "/") else { continue }
      guard let url = url(of: key, in: bucket) else {
        listing.unusable += 1
        continue
      }
      guard url.isBelow(directory) else { continue }
      listing.add(
        ListedEntry(
          url,
          ListedFacts(
            size: object.text(of: "Size").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil },
            modified: object.text(of: "LastModified").flatMap { FeedDate.parse($0) }.map { Int64($0) },
            etag: object.text(of: "ETag"))))
    }
    if root.text(of: "IsTruncated") == "true" {
      guard let token = root.text(of: "NextContinuationToken") else {
        throw DocumentError(kind, "there is more, but it does not say how to ask for it")
      }
      listing.next = token
    }
    return listing
  }

  /// The URL of a key: each of its parts is one of the path.
  private static func url(of key: [UInt8], in bucket: RequestURL) -> RequestURL? {
    let parts = key.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= 1000 else { return nil }
    var url: RequestURL? = bucket
    for (index, part) in parts.enumerated() { url = url?.child(part, isDirectory: index < parts.count - 1) }
    return url
  }

  /// What `encoding-type=url` encodes: a blank is a `+`.
  private static func decoded(_ text: String) -> [UInt8] {
    PercentText.decoded(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}

extension RequestURL {
  /// The root of the bucket of an `s3` URL.
  fileprivate var bucket: RequestURL? {
    scheme == "s3" ? try? RequestURL.parse(directory: "s3://\(host)/").url : nil
  }
}
