// The files of an image: its blobs, its configuration and its manifest, where other programs expect them.

package import DrayCore

/// Where the files of an image go.
package enum ImageHome: Sendable, Equatable {
  /// An OCI image layout.
  case layout
  /// Ollama's directory of models.
  case models
}

/// A manifest as a registry sent it.
package struct FoundImage: Sendable, Equatable {
  package var reference: ImageReference
  package var manifest: ImageManifest
  /// The digest of the bytes of the manifest, and their number.
  package var digest: DigestValue
  package var size: Int64
  /// The URL of the manifest.
  package var url: RequestURL
  /// Whether the registry wanted a proof, which each request for a file needs, too.
  package var hasProof: Bool

  package init(
    _ reference: ImageReference, _ manifest: ImageManifest, digest: DigestValue, size: Int64, url: RequestURL,
    hasProof: Bool = false
  ) {
    (self.reference, self.manifest, self.digest, self.size) = (reference, manifest, digest, size)
    (self.url, self.hasProof) = (url, hasProof)
  }

  private static let source = DigestSource(rawValue: "manifest")

  /// The files: the blobs in the order of the manifest, then the manifest.
  package func answer(_ scheme: String, _ home: ImageHome) throws(Failure) -> SourceAnswer {
    let step = try arrangement(home)
    var entries: [SourceAnswer.Entry] = []
    for (blob, title) in zip(manifest.blobs, titles) where blob.digest != digest {
      guard let url = reference.blob(blob.digest) else { throw tooLong() }
      entries.append(entry(url, blob.digest, blob.size, home, step, []))
      entries[entries.count - 1].title = "\(label) \(title)"
    }
    let accept = HeaderField("Accept", manifest.mediaType)
    entries.append(entry(url, digest, size, home, step, [accept]))
    entries[entries.count - 1].title = "\(label) manifest"
    var answer = SourceAnswer(
      pinned: SourceName(scheme: scheme, rest: reference.pinned(to: digest)), revision: ImageDigest.text(digest),
      entries: entries, remarks: remarks)
    answer.hasNewFields = hasProof
    return answer
  }

  /// The short form of the name: `debian:12`.
  private var label: String {
    let last = reference.path.split(separator: "/").last.map { String($0) } ?? reference.path
    return "\(last):\(reference.tag ?? String(digest.hex.prefix(12)))"
  }

  /// The titles of the blobs in order: the configuration, then the layers, for which Ollama has names.
  private var titles: [String] {
    let layers = manifest.blobs.count - 1
    return manifest.blobs.enumerated().map { index, blob in
      if blob.mediaType.hasPrefix(FoundImage.modelType) {
        return String(blob.mediaType.dropFirst(FoundImage.modelType.count))
      }
      return index == 0 ? "config" : "layer \(index)/\(layers)"
    }
  }

  private static let modelType = "application/vnd.ollama.image."

  private func entry(
    _ url: RequestURL, _ digest: DigestValue, _ size: Int64, _ home: ImageHome, _ step: ImageArrangement,
    _ headers: [HeaderField]
  ) -> SourceAnswer.Entry {
    let path = home == .layout ? ImageDigest.path(digest) : ImageDigest.modelPath(digest)
    var file = OfferedFile(urls: [url], name: path, size: size, digest: digest, headers: headers)
    file.digestSource = FoundImage.source
    return SourceAnswer.Entry(file, path: path, arrangement: .image(step))
  }

  private func arrangement(_ home: ImageHome) throws(Failure) -> ImageArrangement {
    var layout = ImageArrangement.Layout.index(tag: reference.tag, image: reference.name)
    if home == .models {
      let path = "manifests/\(reference.host.lowercased())/\(reference.path)/\(reference.tag ?? "latest")"
      guard let safe = DocumentPath.safe(path), safe == path else {
        throw Failure(.usage, reference.name, "a part of this name cannot be the name of a file")
      }
      layout = .model(path: path)
    }
    return ImageArrangement(manifest: digest, mediaType: manifest.mediaType, size: size, layout: layout)
  }

  private func tooLong() -> Failure { Failure(.usage, reference.name, "the URLs of its files would be too long") }

  /// What users should know.
  private var remarks: [String] {
    guard !manifest.foreign.isEmpty else { return [] }
    let count = manifest.foreign.count
    return [
      "\(reference.name): \(count) \(count == 1 ? "layer is" : "layers are") left out, because registries may not pass "
        + "\(count == 1 ? "it" : "them") on"
    ]
  }
}
