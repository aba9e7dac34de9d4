// `--metalink`: what servers say of a URL before it is queued (RFC 6249, RFC 5854).

internal import DrayDocuments
internal import DrayKit
internal import DrayStore

enum MetalinkSource {
  /// Asks the server of every URL. One that leads to a Metalink document, by its type or its name, is replaced by its files; one
  /// whose answer names such a document gets what that says of it; every other stays as it is.
  static func resolve(
    _ list: InputList, _ template: JobTemplate, _ arguments: JobArguments
  ) async throws(Failure) -> InputList {
    var resolved = InputList(remarksOf: list)
    for entry in list.entries {
      let own = list.options(of: entry)
      let request = template.request.request(for: entry, own)
      guard entry.url.scheme.hasPrefix("http"), request.isSafe, let offer = try await look(request) else {
        resolved.append(entry.url, own)
        continue
      }
      if offer.isItself {
        let name = request.url.description
        do throws(DocumentError) {
          try add(offer.files, home: request.url, arguments, place: name, into: &resolved).get()
        } catch {
          throw error.failure(name, .protocolViolation)
        }
      } else if let file = offer.describing(entry.url) {
        resolved.append(entry.url, merged(own, file, entry.url))
      } else {
        Messages.print("\(request.url.description): the Metalink file named by its server does not describe it")
        resolved.append(entry.url, own)
      }
    }
    return resolved
  }

  private struct Offer {
    var files: [OfferedFile]
    /// Whether the URL led to the document itself.
    var isItself: Bool

    /// The file that is meant: the only one, or the one that has this URL, or its name.
    func describing(_ url: RequestURL) -> OfferedFile? {
      if files.count == 1 { return files.first }
      return files.first { $0.urls.contains(url) } ?? files.first { $0.name == FileName.fromURLPath(url.path) }
    }
  }

  private static func look(_ request: TransferRequest) async throws(Failure) -> Offer? {
    let response = try await DownloadManager.probe(request).response
    let head = response.head
    guard (200...299).contains(head.status) else { return nil }
    let type = head.first("content-type").map { MediaType($0).essence }
    let saysNothing = type.map(MetalinkSource.vagueTypes.contains) ?? true
    if type.map(Metalink.mediaTypes.contains) ?? false || saysNothing && Metalink.isNamed(response.finalURL.path) {
      return Offer(files: try await files(request), isItself: true)
    }
    let links = head.links
    let described = links.first { $0.isDescription && Metalink.mediaTypes.contains($0.mediaType ?? "") }
    if let described, let url = DocumentURL.resolve(described.target, against: response.finalURL) {
      return Offer(files: try await files(request.moved(to: url)), isItself: false)
    }
    // Mirrors that the server names by itself (RFC 6249 §3).
    let mirrors = links.duplicates.compactMap { DocumentURL.resolve($0.target, against: response.finalURL) }
    return mirrors.isEmpty ? nil : Offer(files: [OfferedFile(urls: [request.url] + mirrors)], isItself: false)
  }

  /// What servers say of files that they do not know: then the name counts.
  private static let vagueTypes: Set<String> = [
    "application/octet-stream", "application/xml", "text/xml", "text/plain", "binary/octet-stream",
  ]

  private static func files(_ request: TransferRequest) async throws(Failure) -> [OfferedFile] {
    let accept = "application/metalink4+xml, application/metalink+xml;q=0.9, */*;q=0.5"
    let loaded = try await DownloadManager.load(request, accept: accept, copies: nil, mayBeStale: false)
    do throws(DocumentError) {
      return described(
        try Metalink.parse(loaded.document.content, base: loaded.document.finalURL), request.url.description)
    } catch {
      throw error.failure(request.url.description, .protocolViolation)
    }
  }

  /// What was typed counts more than what a server says.
  private static func merged(_ own: LineOptions, _ file: OfferedFile, _ url: RequestURL) -> LineOptions {
    var merged = own
    if own.digest == nil { (merged.digest, merged.digestSource) = (file.digest, file.digestSource) }
    merged.size = own.size ?? file.size
    merged.pieces = own.pieces ?? file.pieces
    if own.mirrors.isEmpty { merged.mirrors = file.urls.filter { $0 != url } }
    return merged
  }

  /// The files of a Metalink document, after its errors were reported.
  static func described(_ document: Metalink, _ place: String) -> [OfferedFile] {
    for remark in document.remarks.prefix(mostRemarks) { Messages.print("\(place): \(remark)") }
    let more = document.remarks.count - mostRemarks
    if more > 0 { Messages.print("\(place): \(more) more like this") }
    return document.files
  }

  private static let mostRemarks = 20

  /// Adds the files of a Metalink document. The result is a value as two kinds of errors do not fit into one `throws`.
  static func add(
    _ files: [OfferedFile], home: RequestURL?, _ arguments: JobArguments, place: String, into list: inout InputList
  ) -> Result<Void, DocumentError> {
    for file in files {
      do throws(Failure) {
        try list.append(file, home: home, keepsName: arguments.output == nil, place: place)
      } catch {
        return .failure(DocumentError("a Metalink file", error.reason))
      }
    }
    return .success(())
  }
}
