package import DrayCore

/// The file that `dray sync` writes next to its manifest. Contains no secrets from URLs, because others may read the
/// file.
package struct SyncLock: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// The path relative to the manifest's directory.
    package var target: String
    /// The first URL in the manifest, without secrets.
    package var url: String
    /// The URL that answered, without secrets.
    package var finalURL: String?
    /// In bytes.
    package var size: Int64
    package var digest: DigestValue
    /// The digest in the manifest, if it has another algorithm.
    package var manifestDigest: DigestValue?
    package var etag: String?
    /// As the server writes it.
    package var lastModified: String?

    package init(target: String, url: String, size: Int64, digest: DigestValue) {
      self.target = target
      self.url = url
      self.size = size
      self.digest = digest
    }
  }

  /// The version of a name of the manifest.
  package struct Pin: Sendable, Equatable {
    package var name: String
    /// The name that gives the same version again.
    package var exactName: String
    package var revision: String?

    package init(name: String, exactName: String, revision: String?) {
      (self.name, self.exactName, self.revision) = (name, exactName, revision)
    }

    /// Whether this is the version of a name of the manifest. A lock has names without the secrets of their URLs.
    package func isOf(_ wanted: String) -> Bool { name == wanted || name == URLRedaction.redactingURLs(in: wanted) }

    /// The name to look up: the manifest's if the exact one lacks its secrets. In that case, only the revision can show
    /// another version.
    package func asked(for wanted: String) -> String { exactName.contains("…") ? wanted : exactName }
  }

  /// Sorted by target.
  package var entries: [Entry]
  /// Sorted by name.
  package var pins: [Pin]

  static let kind = "a lock of `dray sync`"
  static let version: Int64 = 1

  package init(_ entries: [Entry], _ pins: [Pin] = []) {
    self.entries = entries.sorted { $0.target < $1.target }
    self.pins = pins.sorted { $0.name < $1.name }
  }

  package subscript(target: String) -> Entry? { entries.first { $0.target == target } }

  package static func parse(_ text: String) throws(DocumentError) -> SyncLock {
    let root = try TOMLNode.parse(text, kind: kind)
    guard try root.count("version", "it") == version else {
      throw DocumentError(kind, "its version is not \(version): it may need a newer dray")
    }
    var entries: [Entry] = []
    for (index, node) in try root.tables("file").enumerated() {
      let place = "[[file]] number \(index + 1)"
      guard let target = try node.text("target", place), Manifest.safeTarget(target) != nil,
        let url = try node.text("url", place), let size = try node.count("size", place),
        let digest = try node.digest("digest", place), digest.algorithm == .sha256
      else { throw DocumentError(kind, "\(place) lacks its target, url, size or SHA-256") }
      var entry = Entry(target: target, url: url, size: size, digest: digest)
      entry.finalURL = try node.text("final-url", place)
      entry.manifestDigest = try node.digest("manifest-digest", place)
      entry.etag = try node.text("etag", place)
      entry.lastModified = try node.text("last-modified", place)
      entries.append(entry)
    }
    var pins: [Pin] = []
    for (index, node) in try root.tables("source").enumerated() {
      let place = "[[source]] number \(index + 1)"
      guard let name = try node.text("name", place), let exact = try node.text("exact-name", place) else {
        throw DocumentError(kind, "\(place) lacks its name or exact-name")
      }
      pins.append(Pin(name: name, exactName: exact, revision: try node.text("revision", place)))
    }
    return SyncLock(entries, pins)
  }

  /// The same files always have the same text.
  package var text: String {
    var lines = [
      "# Written by `dray sync`: what was fetched, and what --locked requires. Keep it next to its manifest.",
      "version = \(SyncLock.version)",
    ]
    for pin in pins {
      lines += [
        "", "[[source]]", "name = \(SyncLock.quoted(URLRedaction.redactingURLs(in: pin.name)))",
        "exact-name = \(SyncLock.quoted(URLRedaction.redactingURLs(in: pin.exactName)))",
      ]
      if let revision = pin.revision { lines.append("revision = \(SyncLock.quoted(revision))") }
    }
    for entry in entries {
      lines += ["", "[[file]]", "target = \(SyncLock.quoted(entry.target))", "url = \(SyncLock.quoted(entry.url))"]
      if let url = entry.finalURL { lines.append("final-url = \(SyncLock.quoted(url))") }
      lines += ["size = \(entry.size)", "digest = \(SyncLock.quoted(entry.digest.description))"]
      if let digest = entry.manifestDigest { lines.append("manifest-digest = \(SyncLock.quoted(digest.description))") }
      if let etag = entry.etag { lines.append("etag = \(SyncLock.quoted(etag))") }
      if let date = entry.lastModified { lines.append("last-modified = \(SyncLock.quoted(date))") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Control characters become spaces, because they have no meaning in validators.
  private static func quoted(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: " "
      default: String(scalar)
      }
    }
    return "\"\(safe.joined())\""
  }
}
