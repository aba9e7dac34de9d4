// Maps XML names to fixed names, for any prefix that a document uses for a namespace.

/// Resolves prefixes while a document is read (Namespaces in XML 1.0).
struct XMLNames {
  /// The prefixes in this module by namespace. Elements of plain RSS and Metalink get none.
  private static let prefixes: [String: String] = [
    "http://www.w3.org/2005/Atom": "atom:", "http://purl.org/atom/ns#": "atom:",
    "http://search.yahoo.com/mrss/": "media:", "http://search.yahoo.com/mrss": "media:",
    "http://purl.org/dc/elements/1.1/": "dc:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://purl.oclc.org/net/rss_2.0/enc#": "enc:", "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:",
    "http://purl.org/rss/1.0/": "", "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "urn:ietf:params:xml:ns:metalink": "", "http://www.metalinker.org/": "",
    "DAV:": "dav:", "http://s3.amazonaws.com/doc/2006-03-01/": "",
  ]

  /// The declarations of each open element, outermost first. Not merged, because each element would copy all
  /// declarations in scope, and a document can have a hundred thousand of both (P13).
  private var scopes: [[String: String]] = []

  /// The element's declarations are in scope inside it.
  mutating func enter(_ attributes: [String: String]) {
    var scope: [String: String] = [:]
    for (name, value) in attributes {
      if name == "xmlns" { scope[""] = value }
      if name.hasPrefix("xmlns:") { scope[String(name.dropFirst(6))] = value }
    }
    scopes.append(scope)
  }

  mutating func leave() { scopes.removeLast() }

  /// Returns the fixed name of an element written as `written`. An undeclared prefix has its usual meaning. An unknown
  /// namespace gives a name that is never looked up.
  func name(of written: String) -> String {
    let parts = written.split(separator: ":", maxSplits: 1)
    let (prefix, local) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", written)
    guard let space = scopes.reversed().lazy.compactMap({ $0[prefix] }).first, !space.isEmpty else { return written }
    if let prefix = XMLNames.prefixes[space] { return prefix + local }
    // Early RSS used namespaces, before it was agreed to have none: …/rss, …/rss2, …/RSS2, …/rss091.
    return space.lowercased().hasPrefix("http://backend.userland.com/rss") ? local : "?:" + local
  }
}
