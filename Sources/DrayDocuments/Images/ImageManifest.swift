// Manifests and indexes of images, as the OCI image specification and Docker's schema 2 define them.

package import DrayCore

/// What a manifest or an index says about a document or a blob.
package struct ImageDescriptor: Sendable, Equatable {
  package var mediaType: String
  package var digest: DigestValue
  /// In bytes.
  package var size: Int64
  package var platform: ImagePlatform?
  /// Whether this describes another image, such as a proof of how that was built.
  package var isAttestation = false

  package init(mediaType: String, digest: DigestValue, size: Int64, platform: ImagePlatform? = nil) {
    (self.mediaType, self.digest, self.size, self.platform) = (mediaType, digest, size, platform)
  }
}

/// The blobs of one image.
package struct ImageManifest: Sendable, Equatable {
  package var mediaType: String
  /// The configuration and the layers, each blob once.
  package var blobs: [ImageDescriptor]
  /// The layers that the registry does not have.
  package var foreign: [ImageDescriptor]
}

/// A document that a registry has for a tag or a digest.
package enum ImageDocument: Sendable, Equatable {
  case image(ImageManifest)
  case index([ImageDescriptor])

  static let kind = "a manifest of an image"
  /// The largest manifest in bytes. Registries must accept 4 MiB.
  package static let longest = 4 << 20
  /// The largest number of blobs, and of images in an index.
  package static let most = 10_000

  private static let manifests: Set = [
    "application/vnd.oci.image.manifest.v1+json", "application/vnd.docker.distribution.manifest.v2+json",
  ]
  private static let indexes: Set = [
    "application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json",
  ]

  /// The media types to request.
  package static let accept = (indexes.sorted() + manifests.sorted()).joined(separator: ", ")

  static func isIndex(_ mediaType: String) -> Bool { indexes.contains(mediaType) }
  static func isManifest(_ mediaType: String) -> Bool { manifests.contains(mediaType) }

  /// - Parameter contentType: The type that the registry states; `nil` for a file.
  /// - Throws: ``DocumentError``.
  package static func parse(_ bytes: [UInt8], contentType: String?) throws(DocumentError) -> ImageDocument {
    guard bytes.count <= longest else { throw DocumentError(kind, "it is too long") }
    let root = try JSONNode.parse(bytes, kind: kind)
    guard root.object != nil else { throw DocumentError(kind, "it is \(root.kind), but must be an object") }
    guard root["schemaVersion"]?.integer == 2 else {
      let isOld = root["schemaVersion"]?.integer == 1
      throw DocumentError(kind, isOld ? "it has the format of 2014, which is not read" : "its schemaVersion is not 2")
    }
    // Two readings of one document could be two images.
    guard root["manifests"] == nil || root["layers"] == nil && root["config"] == nil else {
      throw DocumentError(kind, "it is both an index and a manifest")
    }
    let type = try mediaType(root, contentType)
    return try isIndex(type) ? .index(descriptors(root["manifests"], "manifests")) : .image(manifest(root, type))
  }

  /// Returns the type of a document. The document, its shape and the server must not contradict each other.
  private static func mediaType(_ root: JSONNode, _ contentType: String?) throws(DocumentError) -> String {
    let stated = contentType.map { String($0.prefix { $0 != ";" }.trimmingSpaces()).lowercased() }
      .flatMap { isIndex($0) || isManifest($0) ? $0 : nil }
    var written: String?
    if let node = root["mediaType"] {
      guard let text = node.string, isIndex(text) || isManifest(text) else {
        throw DocumentError(kind, "its mediaType \(quote(node.string ?? "")) is not known", line: node.line)
      }
      written = text
    }
    if let written, let stated, written != stated {
      throw DocumentError(kind, "its mediaType is \(quote(written)), and the registry calls it \(quote(stated))")
    }
    let shape =
      root["manifests"] == nil
      ? "application/vnd.oci.image.manifest.v1+json" : "application/vnd.oci.image.index.v1+json"
    let type = written ?? stated ?? shape
    guard isIndex(type) == (root["manifests"] != nil) else {
      throw DocumentError(kind, "its fields do not fit its mediaType \(quote(type))")
    }
    return type
  }

  private static func manifest(_ root: JSONNode, _ type: String) throws(DocumentError) -> ImageManifest {
    guard let config = root["config"] else { throw DocumentError(kind, "its config is missing") }
    var manifest = ImageManifest(mediaType: type, blobs: [], foreign: [])
    var known: [DigestValue: Int64] = [:]
    var total: Int64 = 0
    for one in try [descriptor(config, "config")] + descriptors(root["layers"], "layers") {
      if let size = known[one.digest] {
        guard size == one.size else {
          throw DocumentError(kind, "it gives \(ImageDigest.text(one.digest)) two sizes: \(size) and \(one.size) bytes")
        }
        continue
      }
      known[one.digest] = one.size
      let (sum, overflows) = total.addingReportingOverflow(one.size)
      guard !overflows else { throw DocumentError(kind, "its sizes are too large") }
      total = sum
      if isForeign(one.mediaType) { manifest.foreign.append(one) } else { manifest.blobs.append(one) }
    }
    return manifest
  }

  /// Whether a layer may not be passed on, so that registries do not have it.
  private static func isForeign(_ mediaType: String) -> Bool {
    mediaType.contains(".nondistributable.") || mediaType.contains(".foreign.")
  }

  private static func descriptors(_ node: JSONNode?, _ field: String) throws(DocumentError) -> [ImageDescriptor] {
    guard let node else { throw DocumentError(kind, "its \(field) are missing") }
    guard let elements = node.array else {
      throw DocumentError(kind, "its \(field) are \(node.kind), but must be an array", line: node.line)
    }
    guard elements.count <= most else {
      throw DocumentError(kind, "it has \(elements.count) \(field), more than \(most)", line: node.line)
    }
    var found: [ImageDescriptor] = []
    for (index, element) in elements.enumerated() {
      found.append(try descriptor(element, "number \(index + 1) of its \(field)"))
    }
    return found
  }

  private static func descriptor(_ node: JSONNode, _ place: String) throws(DocumentError) -> ImageDescriptor {
    guard let type = node["mediaType"]?.string, (1...255).contains(type.utf8.count),
      type.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw DocumentError(kind, "\(place) has no mediaType", line: node.line) }
    guard let text = node["digest"]?.string else {
      throw DocumentError(kind, "\(place) has no digest", line: node.line)
    }
    guard let digest = ImageDigest.parse(text) else {
      throw DocumentError(
        kind, "the digest \(quote(text)) of \(place) is neither sha256:HEX nor sha512:HEX", line: node.line)
    }
    guard let size = node["size"]?.integer, size >= 0 else {
      throw DocumentError(kind, "\(place) has no size", line: node.line)
    }
    var result = ImageDescriptor(mediaType: type, digest: digest, size: size)
    result.isAttestation = node["annotations"]?["vnd.docker.reference.type"]?.string != nil
    if let platform = node["platform"] {
      guard let os = platform["os"]?.string, let architecture = platform["architecture"]?.string else {
        throw DocumentError(kind, "the platform of \(place) has no os and no architecture", line: platform.line)
      }
      let variant = platform["variant"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      guard [os, architecture, variant ?? "x"].allSatisfy(ImagePlatform.isWord) || os.isEmpty || architecture.isEmpty
      else { throw DocumentError(kind, "the platform of \(place) is not words", line: platform.line) }
      result.isAttestation = result.isAttestation || os == "unknown" && architecture == "unknown"
      if !os.isEmpty, !architecture.isEmpty {
        result.platform = ImagePlatform(os: os, architecture: architecture, variant: variant)
      }
    }
    return result
  }
}
