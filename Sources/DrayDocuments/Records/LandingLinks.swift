// The files that the page of a record names by links (FAIR Signposting).

package import DrayCore

/// The links of a landing page: `rel=item` for each file, or `rel=linkset` for a document with the links.
package enum LandingLinks {
  static let kind = "a set of links"

  /// Returns the files in the `Link` fields of a page.
  /// - Parameter page: The URL of the page.
  package static func files(_ head: ResponseHead, _ page: RequestURL) throws(DocumentError) -> RecordFiles {
    let links = head.links
    var record = try files(links.filter { $0.relations.contains("item") }.map(\.target), page)
    if links.count >= WebLink.limit {
      record.remarks.append("the page has more than \(WebLink.limit) links: there may be more files")
    }
    return record
  }

  /// Returns the URL of the document (RFC 9264) with the links that do not fit into a header.
  package static func set(_ head: ResponseHead, _ page: RequestURL) -> RequestURL? {
    let link = head.links.first { $0.relations.contains("linkset") && $0.mediaType == "application/linkset+json" }
    return link.flatMap { ServiceAddress.resolve($0.target, against: page) }
  }

  /// Reads such a document.
  /// - Parameters:
  ///   - base: The URL that answered.
  ///   - page: The URL of the page. Links of other things than the page are not taken, unless the document has no
  ///     links of the page.
  package static func parse(
    _ bytes: [UInt8], base: RequestURL, page: RequestURL
  ) throws(DocumentError) -> RecordFiles {
    let root = try JSONNode.parse(bytes, kind: kind)
    guard let contexts = root["linkset"]?.array else {
      throw DocumentError(kind, "\"linkset\" is missing", line: root.line)
    }
    let own = contexts.filter { context in
      context["anchor"]?.string.flatMap { ServiceAddress.resolve($0, against: base) } == page
    }
    let targets = (own.isEmpty ? contexts : own).flatMap { $0["item"]?.array ?? [] }.compactMap { $0["href"]?.string }
    return try files(targets, base)
  }

  private static func files(_ targets: [String], _ base: RequestURL) throws(DocumentError) -> RecordFiles {
    var record = RecordFiles()
    var seen: Set<RequestURL> = []
    var names: Set<String> = []
    for target in targets {
      guard let url = ServiceAddress.resolve(target, against: base) else {
        record.leaveOut(target, "its URL is not https")
        continue
      }
      guard seen.insert(url).inserted else { continue }
      var name = name(of: url)
      var number = 1
      while !names.insert(name).inserted {
        name = FileName.numbered(LandingLinks.name(of: url), number)
        number += 1
      }
      try record.add(name, url, size: nil, digest: nil)
    }
    return record
  }

  /// Returns the last part of the path that says something: many services end it in `/content` or `/download`.
  private static func name(of url: RequestURL) -> String {
    let parts = url.path.split(separator: "/")
    let isGeneric = ["content", "download", "file"].contains(parts.last?.lowercased()) && parts.count > 1
    return FileName.fromURLPath("/" + (isGeneric ? parts[parts.count - 2] : parts.last ?? ""))
  }
}
