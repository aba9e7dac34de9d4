// The table of schemes that dray fetches. Help, refusals, URLs and transfers use its values.

/// A scheme whose URLs can be fetched: the form of its URLs, their permitted sources, and the features of its requests.
///
/// A new scheme needs a file like `Scheme+S3.swift` and a row in ``all``. A scheme that uses HTTP in a special way also
/// needs a row in ``RequestRules``; one that does not use HTTP, a source in the engine. If requests need more than
/// their URLs, such as keys in files, the scheme needs an ability for that, and a row of `RequestAccess` in DrayKit.
public struct Scheme: Sendable {
  /// The name, lowercase.
  public var name: String { row.name }
  /// The default port; 0 if there is none.
  public var defaultPort: Int { row.defaultPort }
  /// The protocol that transfers the files.
  public var transport: Transport { row.transport }
  /// The permitted sources of URLs (P15).
  public var authors: Set<SchemePolicy.Author> { row.authors }
  /// The way to list directories; `nil` if there is none.
  public var listing: DirectoryListing? { row.listing }
  /// The features of requests.
  public var abilities: Set<Ability> { row.abilities }
  var form: Form { row.form }

  /// Schemes of URLs are looked up often, so copies must be cheap.
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
  public static let all: [Scheme] = [.http, .https, .ftp, .ftps, .sftp, .s3, .file]

  /// Creates the scheme with a lowercase name; `nil` if dray does not support the scheme.
  public init?(named name: String) {
    guard let known = Scheme.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// Creates the scheme of a URL.
  public init?(_ url: RequestURL) { self.init(named: url.scheme) }

  init(
    _ name: String, port: Int, _ transport: Transport, authors: Set<SchemePolicy.Author>, listing: DirectoryListing?,
    _ abilities: Set<Ability>, _ form: Form
  ) {
    row = Row(name, port, transport, authors, listing, abilities, form)
  }

  /// Whether requests and answers are HTTP.
  public var speaksHTTP: Bool { transport == .http }

  /// All schemes as a clause: `http, https, ftp, ftps, sftp, s3 or file`.
  static let choice: String = {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }()
}

extension Scheme: Hashable {
  /// Whether both have the same name.
  public static func == (one: Scheme, other: Scheme) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Scheme {
  /// A protocol that transfers files.
  public enum Transport: Sendable {
    case http, ftp, sftp
    /// A read from a local disk.
    case disk
  }

  /// A way to list a directory.
  public enum DirectoryListing: Sendable {
    /// A page with links, or WebDAV.
    case web
    /// The commands MLSD and LIST.
    case commands
    /// Lines of text in the form of `ls -l`.
    case lines
    /// The keys of a bucket that begin with the directory's path.
    case keys
  }

  /// A feature that not every scheme has.
  public enum Ability: Sendable, CaseIterable {
    /// Header fields, and values that are sent in them, such as cookies.
    case headerFields
    /// Any method, and a body.
    case methods
    /// Uploads.
    case upload
    /// User name and password.
    case credentials
    /// Keys that sign requests and are not sent. DrayKit finds their source by this ability.
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

  /// The form of URLs beyond RFC 3986.
  struct Form: Sendable {
    /// Whether a host follows `//`. If not, that place has no meaning.
    var hasHost = true
    /// Checks the text in the host's place, if that is not a host name. `isAlone` is true if the URL has neither a user
    /// nor a port.
    var checkHost: (@Sendable (_ host: ArraySlice<UInt8>, _ isAlone: Bool) throws(URLParseError) -> Void)?
    /// The rules for paths that name files; `nil` if path and query are up to the server.
    var file: FilePath?
  }

  /// In a path that names a file, `?` is a character of the name.
  struct FilePath: Sendable {
    /// A decoded path must not contain the byte.
    var refuses: @Sendable (UInt8) -> Bool = { $0 == 0 }
    var prepare: (@Sendable (inout [UInt8]) throws(URLParseError) -> Void)?
  }
}
