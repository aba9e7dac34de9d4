// The table of the schemes that dray can fetch. Help texts, refusals, URL parsing and transfers read this table.

/// A scheme: the form of its URLs, who may supply them, and the abilities of its requests.
///
/// A new scheme needs a file like `Scheme+S3.swift` and a row in ``all``. A scheme that uses HTTP in a special way also
/// needs a row in ``RequestRules``; a scheme without HTTP needs a source in the engine. If requests need more than
/// their URLs, such as keys from files, the scheme also needs an ``Ability`` for this, and a row of `RequestAccess` in
/// DrayKit.
package struct Scheme: Sendable {
  /// The name, lowercase.
  package var name: String { row.name }
  /// The default port; 0 if the scheme has none.
  package var defaultPort: Int { row.defaultPort }
  /// The protocol that transfers the files.
  package var transport: Transport { row.transport }
  /// The parties that may supply URLs of the scheme: the user, a document, a server (P15).
  package var authors: Set<SchemePolicy.Author> { row.authors }
  /// The way to list directories; `nil` if they cannot be listed.
  package var listing: DirectoryListing? { row.listing }
  /// The abilities of the scheme's requests.
  package var abilities: Set<Ability> { row.abilities }
  var form: Form { row.form }

  /// A reference type, because schemes are looked up often and copies must be cheap.
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

  /// All schemes, in the order in which they are listed for users.
  package static let all: [Scheme] = [.http, .https, .ftp, .ftps, .sftp, .s3, .file]

  /// Creates the scheme with a lowercase name; `nil` if dray does not support the scheme.
  package init?(named name: String) {
    guard let known = Scheme.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// Creates the scheme of a URL.
  package init?(_ url: RequestURL) { self.init(named: url.scheme) }

  init(
    _ name: String, port: Int, _ transport: Transport, authors: Set<SchemePolicy.Author>, listing: DirectoryListing?,
    _ abilities: Set<Ability>, _ form: Form
  ) {
    row = Row(name, port, transport, authors, listing, abilities, form)
  }

  /// Whether its requests and answers are HTTP.
  package var speaksHTTP: Bool { transport == .http }

  /// All schemes as a clause: `http, https, ftp, ftps, sftp, s3 or file`.
  static let choice: String = {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }()
}

extension Scheme: Hashable {
  /// Whether both have the same name.
  package static func == (one: Scheme, other: Scheme) -> Bool { one.name == other.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Scheme {
  /// A protocol that transfers files.
  package enum Transport: Sendable {
    case http, ftp, sftp
    /// No protocol: the file is read from a local disk.
    case disk
  }

  /// A way to list a directory.
  package enum DirectoryListing: Sendable {
    /// A web page with links, or WebDAV.
    case web
    /// FTP's commands MLSD and LIST.
    case commands
    /// Lines of text in the form of `ls -l`.
    case lines
    /// The keys of a bucket that begin with the directory's path.
    case keys
  }

  /// An ability that requests of only some schemes have.
  package enum Ability: Sendable, CaseIterable {
    /// Header fields, and everything that is sent in them, such as cookies.
    case headerFields
    /// Any method, and a body.
    case methods
    /// Uploads.
    case upload
    /// User name and password.
    case credentials
    /// Keys that sign requests but are not sent. DrayKit uses this ability to find the source of the keys.
    case signature
    /// A private key without a certificate.
    case privateKey
    /// A given host key.
    case hostKey
    /// Resume from a position.
    case resume
    /// TLS, always or on request.
    case tls
    /// TLS on request (`--ssl`).
    case optionalTLS
    /// A proxy.
    case proxy
  }

  /// The rules for URLs of one scheme beyond RFC 3986.
  struct Form: Sendable {
    /// Whether the text after `//` is a host. If not, that text is meaningless.
    var hasHost = true
    /// Checks the text after `//`, if that is not a host name. `isAlone` is true if the URL has neither a user nor a
    /// port.
    var checkHost: (@Sendable (_ host: ArraySlice<UInt8>, _ isAlone: Bool) throws(URLParseError) -> Void)?
    /// The rules for paths that name files; `nil` if the server alone interprets path and query.
    var file: FilePath?
  }

  /// The rules for a path that names a file, where `?` is an ordinary character.
  struct FilePath: Sendable {
    /// Whether a decoded path must not contain this byte.
    var refuses: @Sendable (UInt8) -> Bool = { $0 == 0 }
    var prepare: (@Sendable (inout [UInt8]) throws(URLParseError) -> Void)?
  }
}
