// The step that makes an image or a model visible to other programs. Its files mean nothing until a manifest names them.

/// Writes what names an image, once all blobs of its manifest are in the directory.
///
/// Each file of an image has this step, because any of them may be the last one.
public struct ImageArrangement: Sendable, Equatable, Codable {
  /// The files to write.
  package enum Layout: Sendable, Equatable, Codable {
    /// An OCI image layout: `oci-layout`, and the image's entry in `index.json`.
    /// - Parameters:
    ///   - tag: The tag that was asked for; `nil` if there was none.
    ///   - image: The full name of the image: `docker.io/library/debian:12`.
    case index(tag: String?, image: String)
    /// A copy of the manifest at a path, as in Ollama's directory of models.
    /// - Parameter path: Relative to the directory that the user chose.
    case model(path: String)
  }

  /// The digest of the manifest.
  package var manifest: DigestValue
  /// The media type of the manifest.
  package var mediaType: String
  /// The length of the manifest in bytes.
  package var size: Int64
  /// The files to write.
  package var layout: Layout

  /// What people call the image: its full name, or the path of the model's manifest.
  package var name: String {
    switch layout {
    case .index(_, let image): image
    case .model(let path): path
    }
  }

  /// Creates an arrangement.
  package init(manifest: DigestValue, mediaType: String, size: Int64, layout: Layout) {
    (self.manifest, self.mediaType, self.size, self.layout) = (manifest, mediaType, size, layout)
  }
}
