// The schemes that dray fetches, and what each of them can do: one table for help, refusals and `dray info`.

/// A scheme of URLs that can be fetched.
public enum Scheme: String, Sendable, Codable, CaseIterable {
  case http, https, ftp, ftps, sftp, s3, file

  /// The scheme of a URL; `nil` for one that dray does not serve.
  public init?(_ url: RequestURL) { self.init(rawValue: url.scheme) }

  /// The port that is meant where none is named; 0 if there is none.
  public var defaultPort: Int {
    switch self {
    case .http: 80
    case .https, .s3: 443
    case .ftp: 21
    case .ftps: 990
    case .sftp: 22
    case .file: 0
    }
  }

  /// Whether requests and answers are those of HTTP (`s3` is a way to write an `https` URL).
  public var speaksHTTP: Bool { self == .http || self == .https || self == .s3 }

  /// A feature that not every scheme has.
  public enum Ability: String, Sendable, CaseIterable {
    /// Header fields, cookies and all that is made of them.
    case headerFields
    /// A method of any kind, and a body.
    case methods
    /// Uploading a file.
    case upload
    /// User name and password.
    case credentials
    /// Resuming from a position.
    case resume
    /// TLS, always or on request.
    case tls
    /// Using a proxy.
    case proxy
  }

  /// Its features.
  public var abilities: Set<Ability> {
    switch self {
    case .http, .https, .s3: Set(Ability.allCases)
    case .ftp, .ftps: [.upload, .credentials, .resume, .tls, .proxy]
    case .sftp: [.upload, .credentials, .resume, .proxy]
    case .file: [.resume]
    }
  }

  /// All schemes as a clause: `http, https, ftp, ftps, sftp, s3 or file`.
  static let choice: String = {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }()
}
