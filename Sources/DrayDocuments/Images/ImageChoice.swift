// Chooses the image of a platform from an index.

/// What to read next.
package enum ImageChoice: Sendable, Equatable {
  case image(ImageDescriptor)
  /// Indexes that may have an image of the platform.
  case indexes([ImageDescriptor])
  /// There is no such image. The platforms are the existing ones, each once.
  case none([ImagePlatform])

  /// Chooses among the descriptors of an index. Attestations are never chosen. An image without a platform counts only
  /// if it is the only one.
  package static func choose(_ descriptors: [ImageDescriptor], _ platform: ImagePlatform) -> ImageChoice {
    let all = descriptors.filter { !$0.isAttestation }
    let images = all.filter { ImageDocument.isManifest($0.mediaType) }
    var best: (image: ImageDescriptor, rank: Int)?
    for image in images {
      guard let rank = image.platform.flatMap(platform.rank), rank > best?.rank ?? .min else { continue }
      best = (image, rank)
    }
    if let best { return .image(best.image) }
    if images.count == 1, images[0].platform == nil { return .image(images[0]) }
    let indexes = all.filter {
      ImageDocument.isIndex($0.mediaType) && ($0.platform.map { platform.rank(of: $0) != nil } ?? true)
    }
    if !indexes.isEmpty { return .indexes(indexes) }
    var platforms: [ImagePlatform] = []
    for found in images.compactMap(\.platform) where !platforms.contains(found) { platforms.append(found) }
    return .none(platforms)
  }
}
