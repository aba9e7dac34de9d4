// Reads S3's answer to ListObjectsV2: keys below a prefix, up to a thousand at a time.

package import DrayCore

package enum S3Listing {
  private static let kind = "a listing of S3"

  /// Returns the entries of an answer. A key that ends with a slash is skipped: some programs create an empty object to
  /// represent a directory. Such an object with bytes is reported.
  /// - Parameter directory: The `s3` URL of bucket and prefix, whose path ends with a slash.
  /// - Throws: ``DocumentError`` if the answer is invalid.
  package static func parse(_ bytes: [UInt8], of directory: RequestURL) throws(DocumentError) -> Listing {
    let root = try XMLTree.parse(try DocumentText.xml(bytes, kind: kind), kind: kind)
    guard root.name == "ListBucketResult" else {
      throw DocumentError(kind, "its root is \(quote(root.name)), not ListBucketResult", line: root.line)
    }
    let isEncoded = root.text(of: "EncodingType") == "url"
    guard let bucket = directory.bucket else { throw DocumentError(kind, "the request was not for an s3 URL") }
    var listing = Listing()
    for object in root.all("Contents") {
      guard let text = object.child("Key")?.text, !text.isEmpty else {
        throw DocumentError(kind, "an object has no key", line: object.line)
      }
      let key = isEncoded ? decoded(text) : Array(text.utf8)
      let size = object.text(of: "Size").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
      guard key.last != UInt8(ascii: "/") else {
        let url = (size ?? 0) > 0 ? url(of: Array(key.dropLast()), in: bucket)?.asDirectory : nil
        if let url, url.isBelow(directory) || url == directory { listing.slashed.append(url) }
        continue
      }
      guard let url = url(of: key, in: bucket) else {
        listing.unusable += 1
        continue
      }
      listing.add(
        url, in: directory,
        ListedFacts(
          size: size,
          modified: object.text(of: "LastModified").flatMap { FeedDate.parse($0) }.map { Int64($0) },
          etag: object.text(of: "ETag")))
    }
    if root.text(of: "IsTruncated") == "true" {
      guard let token = root.text(of: "NextContinuationToken") else {
        throw DocumentError(kind, "it is incomplete, and has no token for the next page")
      }
      listing.next = token
    }
    return listing
  }

  /// Returns the URL of a key. Each part of the key becomes a path component.
  private static func url(of key: [UInt8], in bucket: RequestURL) -> RequestURL? {
    let parts = key.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= 1000 else { return nil }
    var url: RequestURL? = bucket
    for (index, part) in parts.enumerated() { url = url?.child(part, isDirectory: index < parts.count - 1) }
    return url
  }

  /// Decodes `encoding-type=url`, in which a space is `+`.
  private static func decoded(_ text: String) -> [UInt8] {
    PercentText.decoded(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}

extension RequestURL {
  fileprivate var bucket: RequestURL? {
    scheme == "s3" ? try? RequestURL.parse(directory: "s3://\(host)/").url : nil
  }
}
