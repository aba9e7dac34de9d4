// Links in a listing that may lead to a file or to a directory. The rules here decide which of them are worth a
// request, and what the answer means.

/// A link in a listing that does not show whether it leads to a file or a directory.
package enum OpenLink {
  /// The meaning of an answer to such a link.
  package enum Finding: Sendable, Hashable {
    /// The link leads to a file, or to something indistinguishable from one.
    case file
    /// The link leads to a directory: the server redirects to the URL with a slash.
    case directory
    /// The link leads to a page or a document, which may be a listing.
    case page
  }

  /// Extensions that directories often have, but hardly any files.
  private static let directories: Set<String> = ["d", "git", "com", "org", "net"]
  /// Extensions of files that begin with a digit.
  private static let files: Set<String> = ["7z", "3gp", "3g2", "3ds", "3mf", "3fr"]

  /// Whether a link with this name may lead to a directory and is worth a request. A name with an extension (`.iso`)
  /// belongs to a file; the text after the dot of a version (`v1.2`, `1.0-rc1`) is not an extension.
  package static func mayBeDirectory(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return true }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let first = ending.utf8.first, !directories.contains(ending) else { return true }
    let isPlain = ending.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    return !isPlain || (0x30...0x39).contains(first) && !files.contains(ending)
  }

  /// Returns the failure of a listed file that is a directory.
  package static func failure(_ url: RequestURL, _ status: Int) -> Failure {
    Failure(
      .status, url.description, "it is a directory", advice: "fetch \(url.asDirectory.description) with -r",
      httpStatus: status)
  }

  /// Whether a title in lowercase contains the name of a directory.
  package static func isNamed(_ directory: RequestURL, in title: String) -> Bool {
    guard let part = directory.path.split(separator: "/").last else { return true }
    let name = TextSafety.decoded(PercentEncoding.decoded(Array(part.utf8)[...])) { "%\(TextSafety.hex($0))" }
    return title.contains(name.lowercased())
  }

  /// Returns the meaning of an answer's head.
  /// - Parameter url: The link, which was requested without following redirects.
  package static func finding(_ head: ResponseHead, at url: RequestURL) -> Finding {
    if RedirectPolicy.isRedirect(head.status) {
      guard let location = head.first("location"),
        case .url(let target) = RequestURL.resolve(location: location, against: url),
        // Behind a proxy, a server may redirect to its internal scheme and port, so only the places are compared.
        case .directory = target.place(in: url.asDirectory), target.query == nil
      else { return .file }
      return .directory
    }
    guard [200, 206].contains(head.status), !ContentDisposition.isAttachment(head), let type = head.mediaType else {
      return .file
    }
    return type.isHTML || type.essence == "application/json" ? .page : .file
  }
}
