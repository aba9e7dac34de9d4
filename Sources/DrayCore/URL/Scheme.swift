// The schemes that dray fetches, as a table: help, refusals, URLs, and transfers go by its values.

/// A scheme of URLs that can be fetched: what its URLs look like, who may name them, what can be asked for with them.
///
/// A new one is a file like `Scheme+S3.swift`, and its row in ``all``. One that is asked over HTTP in a way of its own has a
/// row in ``RequestRules``, too, and one that is not asked over HTTP a source in the engine. Where requests need more than their
/// URLs, such as keys that lie in files, an ability says so, by which DrayKit finds a row of its `RequestAccess`.
public struct Scheme: Sendable {
  /// The name, in lower case.
  public var name: String { row.name }
  /// The port that is meant where none is named; 0 where there is none.
  public var defaultPort: Int { row.defaultPort }
  /// How its files come.
  public var transport: Transport { row.transport }
  /// Who may lead to its URLs (P15).
  public var authors: Set<SchemePolicy.Author> { row.authors }
  /// How its directories are listed; `nil` where they are not.
  public var listing: DirectoryListing? { row.listing }
  /// What it has.
  public var abilities: Set<Ability> { row.abilities }
  /// What its URLs look like.
  var form: Form { row.form }

  /// What there is of each scheme once: every URL is asked for its scheme, often.
  private final class Row: Sendable {
    let name: String
    let defaultPort: Int
    let transport: Transport
    let authors: Set<SchemePolicy.Author>
    let listing: DirectoryListing?
    let abilities: Set<Ability>
    let form: Form

    init(
      _ name: String, _ defaultPort: Int, _ transport: Transport, _ authors: Set<SchemePolicy.Author>,
      _ listing: DirectoryListing?, _ abilities: Set<Ability>, _ form: Form
    ) {
      (self.name, self.defaultPort, self.transport) = (name, defaultPort, transport)
      (self.authors, self.listing, self.abilities, self.form) = (authors, listing, abilities, form)
    }
  }

  private let row: Row

  /// All of them, in the order in which people read of them.
  public static let all: [Scheme] = [.http, .https, .ftp, .ftps, .sftp, .s3, .file]

  /// The scheme of that name, in lower case; `nil` for one that dray does not serve.
  public init?(named name: String) {
    guard let known = Scheme.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// The scheme of a URL.
  public init?(_ url: RequestURL) { self.init(named: url.scheme) }

  init(
    _ name: String, port: Int, _ transport: Transport, authors: Set<SchemePolicy.Author>, listing: DirectoryListing?,
    _ abilities: Set<Ability>, _ form: Form
  ) {
    row = Row(name, port, transport, authors, listing, abilities, form)
  }

  /// Whether requests and answers are those of HTTP.
  public var speaksHTTP: Bool { transport == .http }

  /// All schemes as a clause: `http, https, ftp, ftps, sftp, s3 or file`.
  static let choice: String = {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }()
}

extension Scheme: Hashable {
  /// Schemes are what their names say.
  public static func == (one: Scheme, other: Scheme) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Scheme {
  /// How files come.
  public enum Transport: Sendable {
    case http, ftp, sftp
    /// From a disk of this machine.
    case disk
  }

  /// How a server tells what is in a directory.
  public enum DirectoryListing: Sendable {
    /// A page with links, or WebDAV.
    case web
    /// The commands MLSD and LIST.
    case commands
    /// Lines of text, as `ls -l` writes them.
    case lines
    /// The keys of a bucket that begin with the directory's path.
    case keys
  }

  /// A feature that not every scheme has.
  public enum Ability: Sendable, CaseIterable {
    /// Header fields, cookies and all that is made of them.
    case headerFields
    /// A method of any kind, and a body.
    case methods
    /// Uploading a file.
    case upload
    /// User name and password.
    case credentials
    /// Keys that sign requests instead of being sent; where they come from, DrayKit knows by this.
    case signature
    /// A private key without a certificate.
    case privateKey
    /// The key of the host may be given.
    case hostKey
    /// Resuming from a position.
    case resume
    /// TLS, always or on request.
    case tls
    /// TLS that may be asked for (`--ssl`).
    case optionalTLS
    /// Using a proxy.
    case proxy
  }

  /// What URLs look like beyond RFC 3986.
  struct Form: Sendable {
    /// Whether a host stands behind `//`, or nothing that matters.
    var hasHost = true
    /// Checks what stands in the place of the host, where that is not the name of one; `isAlone` says that neither a user
    /// nor a port is beside it.
    var checkHost: (@Sendable (_ host: ArraySlice<UInt8>, _ isAlone: Bool) throws(URLParseError) -> Void)?
    /// What path and query are; `nil` is what the server makes of them.
    var file: FilePath?
  }

  /// A path that names a file, where a `?` is a character of its name.
  struct FilePath: Sendable {
    /// Bytes that no path may have, once it is decoded.
    var refuses: @Sendable (UInt8) -> Bool = { $0 == 0 }
    /// Changes a path that is not decoded yet.
    var prepare: (@Sendable (inout [UInt8]) throws(URLParseError) -> Void)?
  }
}
