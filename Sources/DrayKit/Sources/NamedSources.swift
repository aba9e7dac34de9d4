// The table of sources: which names there are, and who finds their files.

package import DrayCore
package import DrayDocuments

/// The sources whose names can be asked for.
///
/// A new source is a type that implements ``NamedSource``, and a row of ``builtIn``. Programs of the configuration add
/// rows.
package struct NamedSources: Sendable {
  /// The sources of this program, one row each.
  package static let builtIn: [any NamedSource] = [
    HuggingFaceSource(endpoint: (try? TokenPlaces.user.huggingFaceHub())?.endpoint),
    GitHubSource(host: TokenPlaces.user.variable("GH_HOST")),
    OCISource(), OllamaSource(), DOISource(), PyPISource(),
  ]

  /// The table, in the order of the help.
  package private(set) var rows: [any NamedSource] = []
  /// The schemes of all sources.
  package private(set) var schemes: Set<String> = []

  /// Creates the table of this program.
  package init() {
    rows = NamedSources.builtIn
    schemes = Set(rows.map(\.scheme))
  }

  /// Creates a table with more sources, such as those of programs.
  /// - Throws: Kind `usage` for a scheme that is not free (``objection(to:)``).
  package init(adding sources: [any NamedSource]) throws(Failure) {
    self.init()
    for source in sources { try add(source) }
  }

  /// Adds a source.
  /// - Throws: Kind `usage` for a scheme that is not free (``objection(to:)``).
  package mutating func add(_ source: any NamedSource) throws(Failure) {
    if let objection = objection(to: source.scheme) {
      throw Failure(.usage, TextSafety.escaped(source.scheme), objection, advice: "choose another name for the source")
    }
    rows.append(source)
    schemes.insert(source.scheme)
  }

  /// The source with a scheme; `nil` if there is none.
  package subscript(_ scheme: String) -> (any NamedSource)? { rows.first { $0.scheme == scheme } }

  /// Why a source cannot have this scheme, as a clause; `nil` if it can.
  ///
  /// URLs keep their meaning: neither a scheme that dray knows nor one that programs commonly hand over is free. A name
  /// with a dot would look like a host with a port.
  package func objection(to scheme: String) -> String? {
    let bytes = scheme.utf8
    guard let first = bytes.first, (0x61...0x7A).contains(first), (2...32).contains(bytes.count),
      bytes.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
    else { return "a source is named by 2 to 32 lowercase letters, digits and hyphens, a letter first" }
    if Scheme(named: scheme) != nil || NamedSources.foreign.contains(scheme) { return "this is the scheme of URLs" }
    return self[scheme] == nil ? nil : "there is a source of this name already"
  }

  /// Schemes of URLs that dray does not fetch. A name that begins like such a URL would hide what its user meant.
  private static let foreign: Set<String> = [
    "about", "blob", "cid", "data", "dav", "davs", "ed2k", "feed", "git", "gopher", "gs", "ipfs", "javascript",
    "ldap", "localhost", "magnet", "mailto", "metalink", "nfs", "rsync", "rtmp", "rtsp", "scp", "sftps", "smb", "ssh",
    "svn", "telnet", "tftp", "thunder", "torrent", "view-source", "webdav", "ws", "wss",
  ]

  /// Returns the name that a text is: `scheme:rest`.
  package func name(in text: String) -> SourceName? { SourceName(text, schemes: schemes) }

  /// Returns what helps with a text that looks like a name of a source that does not exist; `nil` for all other texts.
  package func advice(onUnknown text: String) -> Advice? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let (scheme, rest) = (text[..<colon].lowercased(), text[text.index(after: colon)...])
    // A number after the colon is the port of a host.
    let isPort = rest.prefix { $0 != "/" }.allSatisfy(\.isNumber)
    guard objection(to: scheme) == nil, !rest.hasPrefix("//"), !isPort else { return nil }
    if let meant = NearestName.find(scheme, among: rows.map(\.scheme)) { return Advice("did you mean \(meant):?") }
    return advice
  }

  /// Returns the name that a pasted web address stands for; `nil` for the address of a page or a file.
  package func name(of address: RequestURL) -> SourceName? {
    for source in rows { if let name = source.name(of: address) { return name } }
    return nil
  }

  /// The reason why a rule forbids looking up a name, as a clause; `nil` if it is allowed.
  package func refusal(
    of name: SourceName, for rule: SourceRule, _ purpose: SourceRule.Purpose = .files
  ) -> String? {
    guard let source = self[name.scheme], !rule.allows(purpose, isProgram: source.isProgram) else { return nil }
    return "this source runs a program, which is not allowed from here"
  }

  /// Finds the files of a name, and checks the answer.
  /// - Parameter rule: The rule for who asks.
  /// - Throws: Kind `usage` for a name that no source has or that the rule forbids; the failure of the source; kind
  ///   `protocol` for an answer that cannot be used.
  package func find(
    _ name: SourceName, _ client: any SourceClient, for rule: SourceRule
  ) async throws(Failure) -> SourceAnswer {
    try check(name, for: rule, .files)
    if let objection = name.objection {
      throw Failure(
        .usage, name.shown, objection, advice: "`dray help sources` shows how names are written")
    }
    let asking = client.asking(for: name)
    return try await checked(name) { (source) async throws(Failure) in try await source.find(name, asking) }
  }

  /// Finds a new URL of a file, and checks the answer.
  /// - Throws: As ``find(_:_:for:)``.
  package func renew(
    _ link: ExpiredLink, _ client: any SourceClient, for rule: SourceRule
  ) async throws(Failure) -> SourceAnswer {
    try check(link.name, for: rule, .link)
    let asking = client.asking(for: link.name)
    return try await checked(link.name) { (source) async throws(Failure) in try await source.renew(link, asking) }
  }

  private func check(_ name: SourceName, for rule: SourceRule, _ purpose: SourceRule.Purpose) throws(Failure) {
    if let refusal = refusal(of: name, for: rule, purpose) { throw Failure(.usage, name.shown, refusal) }
  }

  private func checked(
    _ name: SourceName, _ ask: (any NamedSource) async throws(Failure) -> SourceAnswer
  ) async throws(Failure) -> SourceAnswer {
    let subject = name.shown
    guard let source = self[name.scheme] else {
      throw Failure(.usage, subject, "no such source: \(TextSafety.escaped(name.scheme))", advice: advice)
    }
    let answer: SourceAnswer
    do throws(Failure) { answer = try await ask(source) } catch { throw error.of(name: subject) }
    do throws(DocumentError) { return try answer.checked(name) } catch {
      throw Failure(.protocolViolation, subject, error.reason)
    }
  }

  private var advice: Advice {
    let names = rows.map { "\($0.scheme):" }.joined(separator: ", ")
    let added = "[source.NAME] in the configuration adds one"
    return Advice(names.isEmpty ? added : "names begin with \(names); \(added)")
  }
}

/// A kind of document that describes files. Such documents are sources too, but are named by URL or path.
package struct SourceDocument: Sendable, Equatable {
  /// The name of the kind, in the plural.
  package var name: String
  /// How a command is given such a document.
  package var given: String
  /// How the document is recognised.
  package var recognised: String

  /// All kinds. Each is parsed by `DrayDocuments`, and becomes jobs in the file of DrayKit that its row names.
  package static let all: [SourceDocument] = [
    // FeedSource.swift
    SourceDocument(name: "feeds", given: "dray feed URL", recognised: "RSS and Atom, by content"),
    // TreeSource.swift, TreeWalk.swift
    SourceDocument(
      name: "listings", given: "-r URL",
      recognised: "indexes of web servers, WebDAV, FTP, SFTP and buckets, by the answer"),
    // MetalinkSource.swift
    SourceDocument(
      name: "Metalink", given: "NAME.meta4, --metalink URL", recognised: "by name, media type or a Link field"),
    // DrayCommands/Input/InputList+Lists.swift
    SourceDocument(
      name: "lists of other programs", given: "-i FILE, or FILE",
      recognised: "pylock.toml, uv.lock, requirements.txt, conda, apt, BagIt, Croissant, by content"),
    // CatalogSource.swift
    SourceDocument(name: "catalogs", given: "--catalog URL NAME@VERSION", recognised: "by their first field"),
    // SyncSet.swift
    SourceDocument(name: "manifests", given: "dray sync FILE", recognised: "the file that the command names"),
  ]
}
