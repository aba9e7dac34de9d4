// Digital object identifiers as names of records: `doi:10.5281/zenodo.123`.

package import DrayCore

/// A DOI (ISO 26324): `10.`, the number of a registrant, a slash, and any text.
package struct DOIName: Sendable, Equatable {
  /// As it was written. Upper and lower case of letters mean the same.
  package let doi: String

  static let kind = "a name like doi:10.5281/zenodo.123"

  /// - Throws: ``DocumentError`` for a name that is not a DOI.
  package init(_ name: SourceName) throws(DocumentError) {
    guard let doi = DOIName(name.rest) else {
      throw DocumentError(DOIName.kind, "\(quote(name.rest)) is not a DOI")
    }
    self = doi
  }

  /// Reads a DOI, with or without `doi:` before it.
  /// - Returns: `nil` for any other text.
  package init?(_ text: String) {
    let doi = text.lowercased().hasPrefix("doi:") ? String(text.dropFirst("doi:".count)) : text
    guard let slash = doi.firstIndex(of: "/"), doi.hasPrefix("10."), doi.utf8.count <= 1024 else { return nil }
    let registrant = doi[..<slash].dropFirst("10.".count)
    let suffix = doi[doi.index(after: slash)...]
    guard !registrant.isEmpty, registrant.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) }),
      !suffix.isEmpty, TextSafety.escaped(doi) == doi, !doi.contains(where: \.isWhitespace),
      // These would be removed from the path of a URL.
      !suffix.split(separator: "/", omittingEmptySubsequences: false).contains(where: { $0 == "." || $0 == ".." })
    else { return nil }
    self.doi = doi
  }

  /// `doi:10.5281/zenodo.123`.
  package var name: SourceName { SourceName(scheme: "doi", rest: doi) }

  /// The DOI as a part of a URL's path.
  package var encoded: String { PercentText.encoded(doi, keepsSlashes: true) }

  /// Reads the address that a DOI leads to from the answer of a resolver's API (`/api/handles`).
  ///
  /// The API is asked in place of the redirect, because many old DOIs lead to `http`. Such an address becomes one of
  /// https: what a service says over http proves nothing.
  /// - Parameter base: The URL that answered.
  package static func target(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) -> RequestURL {
    let kind = "an answer of a resolver of DOIs"
    let root = try JSONNode.parse(bytes, kind: kind)
    let values = (root["values"]?.array ?? []).filter { $0["type"]?.string == "URL" }
    guard let text = values.first?["data"]?["value"]?.string else {
      throw DocumentError(kind, "it does not say where the record is", line: root.line)
    }
    guard let url = try? RequestURL.parse(text).url, ["http", "https"].contains(url.scheme) else {
      throw DocumentError(kind, "the record is at \(quote(text)), which is not on the web", line: root.line)
    }
    guard url.scheme == "http", url.port == nil, !ServiceAddress.isLocal(url.host) else { return url }
    let safe = try? RequestURL.parse("https://\(url.host)\(url.path)" + (url.query.map { "?\($0)" } ?? "")).url
    return safe ?? url
  }

  /// Returns the name that an address at a resolver of DOIs means.
  package static func named(by address: RequestURL) -> SourceName? {
    guard ["doi.org", "dx.doi.org", "www.doi.org"].contains(address.host), address.query == nil else { return nil }
    let path = String(decoding: PercentText.decoded(Array(address.path.utf8)), as: UTF8.self)
    return DOIName(String(path.dropFirst()))?.name
  }
}
