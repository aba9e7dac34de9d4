// The properties that make two requests requests for the same download.

/// The URL, and the directory and the name of the target. For `s3` URLs and for objects, the server belongs to these
/// properties, because the same bucket and key on another server is another object (P23).
public struct DownloadKey: Sendable, Hashable {
  /// The URL.
  package var url: String
  /// The server of an `s3` URL; empty for Amazon's, and for other URLs (``AWSSignature/server``).
  package var source: String
  /// The directory of the target.
  package var directory: String
  /// The server of a target in an object store. It is empty for Amazon's server and for files, and `nil` in a search
  /// for targets on any server.
  package var target: String?
  /// The name that the user gave; `nil` if the server names the file.
  package var output: String?

  /// Creates a key.
  package init(url: String, source: String = "", directory: String, target: String? = "", output: String?) {
    (self.url, self.source, self.directory, self.target, self.output) = (url, source, directory, target, output)
  }
}

extension JobSpecification {
  /// The properties that make two downloads the same.
  public var key: DownloadKey {
    DownloadKey(
      url: request.url.string, source: request.signature?.server ?? "", directory: directory, target: targetServer,
      output: output)
  }

  /// The server of a target in an object store; empty for Amazon's, and for files.
  public var targetServer: String { place.server }
}
