// The URLs of a hub's API and of its files.

package import DrayCore

/// A hub, by its address.
package struct HubAddress: Sendable, Equatable {
  /// The public hub, `https://huggingface.co`, or one like it, perhaps below a path of its server.
  package var endpoint: RequestURL

  package init(_ endpoint: RequestURL) { self.endpoint = endpoint }

  package static let publicText = "https://huggingface.co"

  private var base: String {
    let text = endpoint.withoutQuery.string
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// The URL that says which commit a revision is.
  package func revision(of name: HubName) -> RequestURL? {
    let revision = PercentText.encoded(name.wantedRevision)
    // Only the commit is wanted; kernels always come with everything.
    let fields = name.kind == .kernel ? "" : "?expand=sha"
    return url("/api/\(name.kind.rawValue)/\(name.id)/revision/\(revision)\(fields)")
  }

  /// The first page of the files below a directory; `path` is empty for all files.
  /// - Parameter name: A name whose revision is a commit.
  package func tree(of name: HubName, below path: String) -> RequestURL? {
    let version = name.kind == .bucket ? "" : "/\(PercentText.encoded(name.wantedRevision))"
    let below = path.isEmpty ? "" : "/\(PercentText.encoded(path, keepsSlashes: name.kind != .bucket))"
    let expand = name.kind == .bucket ? "" : "&expand=false"
    return url("/api/\(name.kind.rawValue)/\(name.id)/tree\(version)\(below)?recursive=true\(expand)")
  }

  /// The URL that describes the paths in the body of a POST.
  package func paths(of name: HubName) -> RequestURL? {
    let version = name.kind == .bucket ? "" : "/\(PercentText.encoded(name.wantedRevision))"
    return url("/api/\(name.kind.rawValue)/\(name.id)/paths-info\(version)")
  }

  /// The URL of a file.
  /// - Parameter name: A name whose revision is a commit.
  package func file(_ path: String, of name: HubName) -> RequestURL? {
    let version = name.kind == .bucket ? "" : "\(PercentText.encoded(name.wantedRevision))/"
    let path = PercentText.encoded(path, keepsSlashes: true)
    return url("/\(name.kind.addressPrefix)\(name.id)/resolve/\(version)\(path)")
  }

  /// The page of a repository, for people.
  package func page(of name: HubName) -> String { "\(base)/\(name.kind.addressPrefix)\(name.id)" }

  private func url(_ path: String) -> RequestURL? { try? RequestURL.parse(base + path).url }
}
