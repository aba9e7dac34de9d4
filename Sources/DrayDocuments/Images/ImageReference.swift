// Names of images: `docker.io/library/debian:12@sha256:…`, read as docker reads them.

package import DrayCore

/// The name of an image or a model in a registry.
package struct ImageReference: Sendable, Equatable {
  /// The host as names show it: `docker.io`, `localhost:5000`.
  package var host: String
  /// The repository: `library/debian`.
  package var path: String
  package var tag: String?
  package var digest: DigestValue?
  /// Whether to contact the registry over http. This is done only for registries on this machine.
  package var isPlain: Bool

  static let hub = "docker.io"
  private static let hubHosts: Set = ["docker.io", "index.docker.io", "registry-1.docker.io"]
  static let modelHost = "registry.ollama.ai"
  /// The longest name in bytes.
  private static let longest = 1024

  /// Reads what follows `oci:`. A `//` before the host is ignored, because other programs write it.
  /// - Throws: Kind `usage`.
  package static func parse(_ rest: String) throws(Failure) -> ImageReference {
    let name = "oci:\(rest)"
    var (reference, path, hasScheme) = try split(rest, name, form)
    if let slash = path.firstIndex(of: "/"), hasScheme || isHost(path[..<slash]) {
      reference.host = String(path[..<slash])
      path = path[path.index(after: slash)...]
      guard ImageName.isHost(reference.host) else { throw refused(name, "the registry is not a host", form) }
    }
    if hubHosts.contains(reference.host.lowercased()) {
      reference.host = hub
      if !path.contains("/") { path = "library/\(path)" }
    }
    if path.utf8.contains(where: { (0x41...0x5A).contains($0) }) {
      throw refused(name, "the name of an image has no capital letters", form)
    }
    guard ImageName.isRepository(path) else { throw refused(name, "this is not the name of an image", form) }
    reference.path = String(path)
    if reference.tag == nil, reference.digest == nil { reference.tag = "latest" }
    return reference
  }

  /// Reads what follows `ollama:`: `NAME[:TAG]`, with a namespace and a host before it if need be.
  /// - Throws: Kind `usage`.
  package static func parse(model rest: String) throws(Failure) -> ImageReference {
    let name = "ollama:\(rest)"
    var (reference, path, _) = try split(rest, name, modelForm)
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    reference.host = modelHost
    if parts.count == 3 {
      reference.host = String(parts.removeFirst())
      guard ImageName.isHost(reference.host) else { throw refused(name, "the registry is not a host", modelForm) }
    } else {
      reference.isPlain = false
    }
    if parts.count == 1 { parts.insert("library", at: 0) }
    guard parts.count == 2, parts.allSatisfy(ImageName.isModelPart) else {
      throw refused(name, "this is not the name of a model", modelForm)
    }
    reference.path = parts.joined(separator: "/")
    reference.tag = reference.tag ?? "latest"
    return reference
  }

  private static let form: Advice = "write it as oci:HOST/NAME:TAG"
  private static let modelForm: Advice = "write it as ollama:NAME:TAG"

  private static func refused(_ name: String, _ reason: String, _ advice: Advice) -> Failure {
    Failure(.usage, TextSafety.escaped(name.start(200)), reason, advice: advice)
  }

  /// Splits off scheme, digest and tag. The result lacks its host and its path.
  private static func split(
    _ rest: String, _ name: String, _ form: Advice
  ) throws(Failure) -> (ImageReference, path: Substring, hasScheme: Bool) {
    guard rest.utf8.count <= longest else { throw refused(name, "the name is too long", form) }
    var text = rest[...]
    var (scheme, hasScheme) = (nil as String?, false)
    for prefix in ["https://", "http://", "//"] where text.hasPrefix(prefix) {
      (scheme, hasScheme) = (prefix == "//" ? nil : String(prefix.dropLast(3)), true)
      text = text.dropFirst(prefix.count)
      break
    }
    let host = text.prefix { $0 != "/" }
    var reference = ImageReference(host: hub, path: "", tag: nil, digest: nil, isPlain: false)
    reference.isPlain = ServiceAddress.isLocal(host) && text.contains("/") && scheme != "https"
    if scheme == "http", !reference.isPlain {
      throw refused(name, "plain http is only for registries of this machine", "write it without http://")
    }
    if let mark = text.firstIndex(of: "@") {
      guard let digest = ImageDigest.parse(text[text.index(after: mark)...]) else {
        throw refused(name, "what follows @ is not a digest", "write it as sha256:HEX, with 64 digits in lowercase")
      }
      (reference.digest, text) = (digest, text[..<mark])
    }
    let last = text.lastIndex(of: "/") ?? text.startIndex
    if let colon = text[last...].lastIndex(of: ":") {
      let tag = text[text.index(after: colon)...]
      guard ImageName.isTag(tag) else {
        throw refused(name, "what follows the colon is not a tag", form)
      }
      (reference.tag, text) = (String(tag), text[..<colon])
    }
    return (reference, text, hasScheme)
  }

  /// Whether the first component is a host. Otherwise the name is of the default registry.
  private static func isHost(_ text: Substring) -> Bool {
    text.contains(".") || text.contains(":") || text == "localhost"
      || text.utf8.contains { (0x41...0x5A).contains($0) }
  }

  /// The full name without scheme: `docker.io/library/debian:12`, with the digest if there is no tag.
  package var name: String {
    "\(host)/\(path)" + (tag.map { ":\($0)" } ?? digest.map { "@\(ImageDigest.text($0))" } ?? "")
  }

  /// The rest of a name that always stands for the manifest with this digest.
  package func pinned(to digest: DigestValue) -> String {
    let start = ServiceAddress.isLocal(host) && !isPlain ? "https://" : ImageReference.isHost(host[...]) ? "" : "//"
    return start + "\(host)/\(path)" + (tag.map { ":\($0)" } ?? "")
      + "@\(ImageDigest.text(digest))"
  }

  /// The host to contact. For Docker Hub, it differs from the host in names.
  package var server: String { host == ImageReference.hub ? "registry-1.docker.io" : host }

  /// The URL of a manifest, by a tag or a digest.
  package func manifest(_ reference: String) -> RequestURL? { url("manifests/\(reference)") }

  /// The URL of a blob.
  package func blob(_ digest: DigestValue) -> RequestURL? { url("blobs/\(ImageDigest.text(digest))") }

  private func url(_ rest: String) -> RequestURL? {
    try? RequestURL.parse("\(isPlain ? "http" : "https")://\(server)/v2/\(path)/\(rest)").url
  }
}

extension ImageReference {
  /// Returns the name of an image on the web page that shows it; `nil` for other pages.
  package static func image(at address: RequestURL) -> String? {
    guard address.scheme == "https", address.host == "hub.docker.com" else { return nil }
    let parts = address.path.split(separator: "/")
    let path: String
    switch (parts.first, parts.count) {
    case ("_", 2...): path = "library/\(parts[1])"
    case ("r", 3...): path = "\(parts[1])/\(parts[2])"
    default: return nil
    }
    return ImageName.isRepository(path) ? "\(hub)/\(path)" : nil
  }

  /// Returns the name of a model on the web page that shows it; `nil` for other pages.
  package static func model(at address: RequestURL) -> String? {
    guard address.scheme == "https", address.host == "ollama.com" else { return nil }
    let parts = address.path.split(separator: "/")
    guard parts.count == 2, !["blog", "search", "public", "settings", "docs", "download"].contains(parts[0]) else {
      return nil
    }
    let name = parts[1].split(separator: ":", omittingEmptySubsequences: false)
    guard name.count <= 2, ImageName.isModelPart(parts[0]), ImageName.isModelPart(name[0]),
      name.count == 1 || ImageName.isTag(name[1])
    else { return nil }
    return (parts[0] == "library" ? "" : "\(parts[0])/") + parts[1]
  }
}
