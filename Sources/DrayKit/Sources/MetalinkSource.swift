// Finds what servers offer about files: Metalink documents and mirrors (RFC 6249, RFC 5854).

package import DrayCore
package import DrayDocuments
internal import DrayStore

/// A server's description of the file at a URL.
package struct MetalinkSource: Sendable {
  /// The name of the document in messages: a URL without secrets.
  package var name: String
  /// The described files.
  package var files: [OfferedFile]
  /// The errors in the document that were ignored, one line each.
  package var remarks: [String] = []
  /// Whether the URL leads to the Metalink document itself. If so, the described files replace the URL.
  package var isItself = false

  /// Asks a server whether it describes the file at a URL in a Metalink document.
  /// - Returns: `nil` if the server does not describe the file.
  /// - Throws: Kind `protocol` for a document that is not Metalink.
  package static func ask(_ request: TransferRequest) async throws(Failure) -> MetalinkSource? {
    let response = try await DownloadManager.probe(request).response
    let head = response.head
    guard (200...299).contains(head.status) else { return nil }
    let type = head.first("content-type").map { MediaType($0).essence }
    let saysNothing = type.map(vagueTypes.contains) ?? true
    if type.map(Metalink.mediaTypes.contains) ?? false || saysNothing && Metalink.isNamed(response.finalURL.path) {
      var source = try await load(request)
      source.isItself = true
      return source
    }
    let links = head.links
    let described = links.first { $0.isDescription && Metalink.mediaTypes.contains($0.mediaType ?? "") }
    if let described, let url = DocumentURL.resolve(described.target, against: response.finalURL) {
      return try await load(request.moved(to: url))
    }
    // The mirrors in the header fields (RFC 6249 §3).
    let mirrors = links.duplicates.compactMap { DocumentURL.resolve($0.target, against: response.finalURL) }
    guard !mirrors.isEmpty else { return nil }
    return MetalinkSource(
      name: request.url.description, files: [OfferedFile(urls: [request.url] + mirrors)])
  }

  /// Returns the described file to which `url` leads: the only file, or the file with this URL or its file name.
  package func describing(_ url: RequestURL) -> OfferedFile? {
    if files.count == 1 { return files.first }
    return files.first { $0.urls.contains(url) } ?? files.first { $0.name == FileName.fromURLPath(url.path) }
  }

  /// Media types that servers give to files of unknown type; for these, the file name decides.
  private static let vagueTypes: Set<String> = [
    "application/octet-stream", "application/xml", "text/xml", "text/plain", "binary/octet-stream",
  ]

  private static func load(_ request: TransferRequest) async throws(Failure) -> MetalinkSource {
    let accept = "application/metalink4+xml, application/metalink+xml;q=0.9, */*;q=0.5"
    let document = try await DownloadManager.loadDocument(request, accept: accept, copies: nil, mayBeStale: false)
      .document
    let name = request.url.description
    do throws(DocumentError) {
      let metalink = try Metalink.parse(document.content, base: document.finalURL)
      return MetalinkSource(name: name, files: metalink.files, remarks: metalink.remarks)
    } catch {
      throw error.failure(name, .protocolViolation)
    }
  }
}
