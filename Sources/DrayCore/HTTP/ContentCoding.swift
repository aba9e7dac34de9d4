// Tells content codings from other values of `Content-Encoding`. Some servers use this field for a charset, a media
// type or the framing of an upload (`utf-8`, `text/plain`, `aws-chunked`), although the body is the file itself (H18).

/// One element of a `Content-Encoding` field (RFC 9110 §8.4.1).
package enum ContentCoding: Sendable, Equatable {
  /// A registered coding, lowercase: the body is not the file itself.
  case registered(String)
  /// Any other value, lowercase and shortened: the body is the file itself.
  case meaningless(String)
  /// The explicit absence of a coding.
  case identity

  /// Reads one element of the field and ignores parameters, which codings do not have.
  package init(_ element: some StringProtocol) {
    let name = element.prefix { $0 != ";" }.trimmingSpaces()
    let token = name.start(ContentCoding.longest).lowercased()
    if token.isEmpty || token == "identity" {
      self = .identity
    } else if ContentCoding.registry.contains(token) {
      self = .registered(token)
    } else {
      self = .meaningless(token)
    }
  }

  /// The IANA registry "HTTP Content Coding" without `identity`: all these codings change the bytes.
  private static let registry: Set<String> = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip",
    "zstd",
  ]
  /// The maximum number of scalars that are kept of a meaningless value.
  private static let longest = 40
}

extension ResponseHead {
  /// The elements of all `Content-Encoding` fields, in order.
  private var codingElements: [ContentCoding] {
    all("content-encoding").flatMap { $0.split(separator: ",") }.map { ContentCoding($0) }
  }

  /// The registered content codings of the body, lowercase; empty if the body is the file itself.
  public var contentCodings: [String] {
    codingElements.compactMap { if case .registered(let name) = $0 { name } else { nil } }
  }

  /// The ignored values of `Content-Encoding`, lowercase, each once, at most three.
  public var ignoredCodings: [String] {
    var names: [String] = []
    for case .meaningless(let name) in codingElements where !names.contains(name) && names.count < 3 {
      names.append(name)
    }
    return names
  }

  /// The notes on `Content-Encoding` for a body that is stored as sent.
  public var codingNotes: [String] {
    var notes: [String] = []
    let (codings, ignored) = (contentCodings, ignoredCodings)
    if !codings.isEmpty {
      notes.append("stored as sent: the server compressed it (\(codings.joined(separator: ", "))) without being asked")
    }
    if !ignored.isEmpty { notes.append("ignored Content-Encoding \(ignored.joined(separator: ", ")): no compression") }
    return notes
  }
}
