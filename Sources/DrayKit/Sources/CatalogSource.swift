// Loads catalogs, and keeps copies of them in the job store.

package import DrayCore
package import DrayDocuments
internal import DrayStore

/// A catalog with its source.
package struct CatalogSource: Sendable {
  /// The catalog's name in messages: a path, or a URL without secrets.
  package var name: String
  /// The catalog's URL; `nil` for a file.
  package var home: RequestURL?
  /// The catalog.
  package var catalog: Catalog
  /// The age of the copy in seconds, and the reason for using it; `nil` for a catalog that was just fetched.
  package var stale: (age: Double, reason: Failure)?

  /// Parses the bytes of a catalog file.
  /// - Throws: Kind `usage` for bytes that are not a catalog.
  package init(file bytes: [UInt8], name: String) throws(Failure) {
    self.name = name
    catalog = try CatalogSource.parse(bytes, base: nil, name, .usage)
  }

  /// Fetches a catalog, and stores a copy for times at which the server cannot be reached.
  /// - Parameters:
  ///   - request: A GET of the catalog.
  ///   - manager: The manager whose store may have an older copy; `nil` if there is no store.
  ///   - open: Opens the manager whose store gets the new copy.
  /// - Throws: Kind `protocol` for a document that is not a catalog.
  package init(
    fetching request: TransferRequest, copies manager: DownloadManager?, open: () throws(Failure) -> DownloadManager
  ) async throws(Failure) {
    let loaded: LoadedDocument
    do throws(Failure) {
      loaded = try await DownloadManager.loadDocument(
        request, accept: "application/json, */*;q=0.5", copies: manager, mayBeStale: true)
    } catch {
      var failure = error
      failure.reason = "the catalog cannot be loaded: \(error.reason)"
      throw failure
    }
    let document = loaded.document
    (name, home) = (request.url.description, request.url)
    catalog = try CatalogSource.parse(document.content, base: document.finalURL, name, .protocolViolation)
    if case .copy(let age, let failure) = loaded.freshness {
      stale = (age, failure)
    } else {
      let manager = if let manager { manager } else { try open() }
      try await manager.jobs.keep(document)
    }
  }

  private static func parse(
    _ bytes: [UInt8], base: RequestURL?, _ name: String, _ kind: Failure.Kind
  ) throws(Failure) -> Catalog {
    do throws(DocumentError) { return try Catalog.parse(bytes, base: base) } catch { throw error.failure(name, kind) }
  }
}
