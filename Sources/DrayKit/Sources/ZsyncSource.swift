// Loads a control file of zsync that is given in place of a file.

package import DrayCore
package import DrayDocuments
internal import DrayStore

/// A control file of zsync on a server.
package enum ZsyncSource {
  /// Asks for a control file.
  /// - Returns: The file that it describes; `nil` if the URL leads to something else.
  /// - Throws: The failure of the request; kind `protocol` for a control file that is broken.
  package static func ask(_ request: TransferRequest) async throws(Failure) -> OfferedFile? {
    let document = try await DownloadManager.loadDocument(
      request, accept: "application/x-zsync, */*;q=0.5", copies: nil, mayBeStale: false
    ).document
    guard ZsyncControl.isMeant(document.content) else { return nil }
    do throws(DocumentError) {
      return try ZsyncControl.parse(document.content, base: document.finalURL).offer(from: request.url.string)
    } catch {
      throw error.failure(request.url.description, .protocolViolation)
    }
  }
}
