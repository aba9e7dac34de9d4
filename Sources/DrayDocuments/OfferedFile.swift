// What a document says of one file: where it is, and what is known of it.

public import DrayCore

/// A file that a catalog, a Metalink file or a manifest offers.
public struct OfferedFile: Sendable, Equatable {
  /// Where it is, the preferred place first; never empty.
  public var urls: [RequestURL]
  /// What it is to be called: a relative path of safe components, or `nil` to leave it to the server.
  public var name: String?
  /// Its length in bytes.
  public var size: Int64?
  /// What it hashes to: the strongest of the digests that the document gives.
  public var digest: DigestValue?
  /// Who says so; `nil` is whoever wrote the document, as the user did.
  public var digestSource: DigestSource?
  /// What its pieces hash to.
  public var pieces: PieceHashes?
  /// Fields that a request for the first of ``urls`` is to carry.
  public var headers: [HeaderField]

  /// Makes an offer.
  public init(
    urls: [RequestURL], name: String? = nil, size: Int64? = nil, digest: DigestValue? = nil,
    pieces: PieceHashes? = nil, headers: [HeaderField] = []
  ) {
    self.urls = urls
    self.name = name
    self.size = size
    self.digest = digest
    self.pieces = pieces
    self.headers = headers
  }
}

/// URLs in documents: whole or relative to the document.
public enum DocumentURL {
  /// The schemes that a document may send a job to. A document from the network must not reach local files.
  public static let schemes = Set(
    Scheme.allCases.filter { SchemePolicy.allows($0, from: .document) }.map(\.rawValue))

  /// The longest URL, in bytes, that others in a document start from: there may be a hundred thousand of those, and
  /// each gets a copy of it (P13). Of a longer one the query is left out, which none of them needs.
  static let longestBase = 2048

  /// Reads a URL of a document; `nil` for what is none, or of another scheme. User name and password in it are left
  /// out: a document has no say in whom to log in as.
  public static func resolve(_ text: String, against base: RequestURL?) -> RequestURL? {
    let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let reference = String(trimmed)
    guard !reference.isEmpty else { return nil }
    if let url = try? RequestURL.parse(reference).url { return schemes.contains(url.scheme) ? url : nil }
    guard let base = base.map({ $0.string.utf8.count > longestBase ? $0.withoutQuery : $0 }),
      base.string.utf8.count <= longestBase,
      case .url(let url) = RequestURL.resolve(location: reference, against: base),
      schemes.contains(url.scheme)
    else { return nil }
    return url
  }
}

/// Relative paths in documents, which may be used once they are known to stay below their directory (P6).
public enum DocumentPath {
  /// The path with every component made safe; `nil` where it is absolute, empty, or leads upwards.
  public static func safe(_ text: String) -> String? {
    let parts = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" }.map { String($0) }
    var safe: [String] = []
    for part in parts {
      guard !part.isEmpty, part != ".", part != "..", !part.unicodeScalars.contains("\\"),
        let name = FileName.safe(part), name != ".."
      else { return nil }
      safe.append(name)
    }
    return safe.isEmpty || safe.count > 32 ? nil : safe.joined(separator: "/")
  }

  /// The same for names that may be written `/x` and `./x`: both are meant to be below the directory.
  public static func relative(_ text: String) -> String? {
    var rest = text.unicodeScalars[...]
    while let first = rest.first, first == "/" || first == "." && rest.dropFirst().first == "/" { rest.removeFirst() }
    return safe(String(rest))
  }
}

/// Text of a document as it may stand in a reason: in quotes, shortened. Escaping is ``DocumentError``'s business.
func quote(_ text: some StringProtocol) -> String {
  let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
  return text.unicodeScalars.count > 60 ? "\"\(shown)…\"" : "\"\(shown)\""
}
