// Reads a WebDAV answer to PROPFIND with `Depth: 1` (RFC 4918 §9.1).

package import DrayCore

package enum WebDAVListing {
  private static let kind = "a listing of WebDAV"

  /// Returns the entries of an answer, without the directory itself.
  /// - Parameter directory: The requested directory, whose path ends with a slash.
  /// - Throws: ``DocumentError`` if the answer is invalid.
  package static func parse(_ bytes: [UInt8], of directory: RequestURL) throws(DocumentError) -> Listing {
    let root = try XMLTree.parse(try DocumentText.xml(bytes, kind: kind), kind: kind)
    guard root.name == "dav:multistatus" else {
      throw DocumentError(kind, "its root is \(quote(root.name)), not multistatus", line: root.line)
    }
    var listing = Listing()
    for response in root.all("dav:response") {
      guard let href = response.text(of: "dav:href"), let found = DocumentURL.resolve(href, against: directory) else {
        listing.unusable += 1
        continue
      }
      // Refused entries have only a status.
      let properties = response.all("dav:propstat").filter { $0.text(of: "dav:status")?.contains(" 200") ?? true }
        .compactMap { $0.child("dav:prop") }
      guard !properties.isEmpty else {
        if case .entry = found.asDirectory.place(in: directory) { listing.drop(.refused) }
        continue
      }
      func text(_ name: String) -> String? { properties.lazy.compactMap { $0.text(of: name) }.first }
      let isCollection = properties.contains { $0.child("dav:resourcetype")?.child("dav:collection") != nil }
      let url = isCollection ? found.asDirectory : found
      guard !isCollection else {
        listing.add(url, in: directory)
        continue
      }
      listing.add(
        url, in: directory,
        ListedFacts(
          size: text("dav:getcontentlength").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil },
          modified: text("dav:getlastmodified").flatMap { HTTPDate.parse($0) }, etag: text("dav:getetag")))
    }
    return listing
  }
}
