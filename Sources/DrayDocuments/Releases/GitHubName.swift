// Names of files in releases on GitHub: `gh:owner/repo@v1.2/*.tar.gz`.

package import DrayCore

/// The parts of a `gh:` name.
///
/// | name | files |
/// |---|---|
/// | `gh:owner/repo`, `gh:owner/repo@latest` | all assets of the latest release |
/// | `gh:owner/repo@TAG` | all assets of the release with this tag |
/// | `gh:owner/repo/PATTERN`, `gh:owner/repo@TAG/PATTERN` | the assets that match, with `*` and `?` |
/// | `gh:owner/repo@REF/source.tar.gz`, `…/source.zip` | the source at a tag, a branch or a commit |
/// | `gh://HOST/owner/repo…` | the same on another server |
///
/// A slash in a tag is written `%2F`. `refs/tags/latest` is the tag that is called `latest`.
package struct GitHubName: Sendable, Equatable {
  /// An archive of the source, which GitHub makes for each request.
  package enum Archive: String, Sendable, CaseIterable {
    case tarball = "source.tar.gz"
    case zipball = "source.zip"

    /// `.tar.gz` or `.zip`.
    package var suffix: String { String(rawValue.dropFirst("source".count)) }

    /// The last part but one of its path in the API.
    var endpoint: String {
      switch self {
      case .tarball: "tarball"
      case .zipball: "zipball"
      }
    }
  }

  /// The server that the name has; `nil` for the server of the surroundings.
  package var host: String?
  package var owner: String
  package var repository: String
  /// A tag; for an archive of the source also a branch or a commit. `nil` means the latest release.
  package var reference: String?
  /// A pattern for assets, or the name of an archive; `nil` means all assets.
  package var pattern: String?

  static let kind = "a name like gh:owner/repo@tag/file"

  /// - Throws: ``DocumentError`` for a name that GitHub cannot have.
  package init(_ name: SourceName) throws(DocumentError) {
    var rest = name.rest[...]
    if rest.hasPrefix("//") {
      let host = rest.dropFirst(2).prefix { $0 != "/" }
      guard let server = GitHubServer(host: String(host)) else {
        throw GitHubName.error("\(quote(host)) is not a host")
      }
      (self.host, rest) = (server.host, rest[host.endIndex...].dropFirst())
    }
    let owner = rest.prefix { $0 != "/" && $0 != "@" }
    guard rest[owner.endIndex...].first == "/" else { throw GitHubName.error("the repository is missing") }
    rest = rest[owner.endIndex...].dropFirst()
    let repository = rest.prefix { $0 != "/" && $0 != "@" }
    (self.owner, self.repository) = (String(owner), GitHubName.withoutGit(repository))
    rest = rest[repository.endIndex...]
    if rest.first == "@" { reference = try GitHubName.reference(&rest) }
    if rest.first == "/" { pattern = try GitHubName.pattern(rest.dropFirst()) }
    guard GitHubName.isPlain(self.owner, longest: 100), GitHubName.isPlain(self.repository, longest: 100) else {
      throw GitHubName.error("owner and repository consist of letters, digits, -, _ and .")
    }
  }

  /// The archive of the source that is wanted; `nil` for assets.
  package var archive: Archive? { pattern.flatMap(Archive.init(rawValue:)) }

  /// The name of the only asset that is wanted; `nil` for a pattern and for an archive.
  package var exactName: String? {
    guard archive == nil, let pattern, !pattern.contains(where: { $0 == "*" || $0 == "?" }) else { return nil }
    return pattern
  }

  /// Returns this name with a revision in place of the reference.
  package func pinned(to reference: String) -> SourceName {
    // Without its namespace, this tag would mean the latest release.
    let written = reference == "latest" ? "refs/tags/latest" : reference
    var rest = host.map { "//\($0)/" } ?? ""
    rest += "\(owner)/\(repository)@\(PercentText.encoded(written))"
    if let pattern { rest += "/" + pattern.replacing("%", with: "%25") }
    return SourceName(scheme: "gh", rest: rest)
  }

  /// Returns the name that the web address of a release means: `/releases/tag/TAG` and `/releases/latest`.
  /// - Parameter hosts: The servers whose addresses are known.
  package static func named(by address: RequestURL, hosts: Set<String>) -> SourceName? {
    // Most addresses of a long list have fewer parts.
    guard address.path.split(separator: "/", maxSplits: 3).count == 4 else { return nil }
    let authority = address.port.map { "\(address.host):\($0)" } ?? address.host
    guard let server = GitHubServer(host: authority), server.scheme == address.scheme, hosts.contains(server.host)
    else { return nil }
    let parts = address.path.split(separator: "/", omittingEmptySubsequences: true).map {
      String(decoding: PercentText.decoded(Array($0.utf8)), as: UTF8.self)
    }
    guard parts.count >= 4, parts[2] == "releases" else { return nil }
    let host = server.host == GitHubServer.main ? "" : "//\(server.host)/"
    let latest = SourceName(scheme: "gh", rest: "\(host)\(parts[0])/\(parts[1])")
    guard let name = try? GitHubName(latest) else { return nil }
    if parts[3] == "latest" { return parts.count == 4 ? latest : nil }
    guard parts[3] == "tag", parts.count > 4 else { return nil }
    let pinned = name.pinned(to: parts[4...].joined(separator: "/"))
    return (try? GitHubName(pinned)) == nil ? nil : pinned
  }

  /// Reads `@REFERENCE`, which ends at the next slash.
  private static func reference(_ rest: inout Substring) throws(DocumentError) -> String? {
    rest = rest.dropFirst()
    let namespaces = ["refs/tags/", "refs/heads/"]
    let known = namespaces.first { rest.hasPrefix($0) }
    let start = rest.dropFirst(known?.count ?? 0)
    let last = start.prefix { $0 != "/" }
    let written = decoded((known ?? "") + last)
    rest = start[last.endIndex...]
    if written == "latest" { return nil }
    let isTag = written.hasPrefix("refs/tags/")
    let reference = isTag ? String(written.dropFirst("refs/tags/".count)) : written
    guard isReference(reference) else { throw error("\(quote(reference)) is neither a tag nor another revision") }
    return reference
  }

  private static func pattern(_ text: Substring) throws(DocumentError) -> String? {
    let pattern = decoded(String(text))
    if pattern.isEmpty { return nil }
    guard !pattern.contains("/") else {
      throw error("\(quote(pattern)) has a slash, and no asset has one: write a slash in a tag as %2F")
    }
    guard pattern.utf8.count <= FileName.limit, TextSafety.escaped(pattern) == pattern else {
      throw error("\(quote(pattern)) is not a pattern for names of files")
    }
    return pattern
  }

  private static func decoded(_ text: String) -> String {
    String(decoding: PercentText.decoded(Array(text.utf8)), as: UTF8.self)
  }

  private static func withoutGit(_ name: Substring) -> String {
    String(name.hasSuffix(".git") ? name.dropLast(4) : name)
  }

  private static func isPlain(_ text: String, longest: Int) -> Bool {
    let isKnown = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "-_.".utf8.contains(byte)
    }
    return isKnown && !text.isEmpty && text.utf8.count <= longest && text != "." && text != ".."
  }

  /// Whether Git allows the name (git-check-ref-format(1)), as far as it matters for a URL.
  private static func isReference(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 && !text.contains("..") && text != "." && !text.hasPrefix("/")
      && !text.contains { " ~^:?*[\\".contains($0) } && TextSafety.escaped(text) == text
  }

  private static func error(_ reason: String) -> DocumentError { DocumentError(kind, reason) }
}
