// What a libcurl is and can do, in the terms of downloads.

/// A libcurl.
public struct LibraryFacts: Sendable, Equatable {
  /// Its version: `7.88.1`.
  public var version: String
  /// Its TLS library: `OpenSSL/3.0.19`.
  public var tls: String
  /// The schemes that can be fetched with it, in alphabetical order.
  public var schemes: [String]
  /// What it was built with, of what matters for downloads: `HTTP2`, `HTTP3`, `NTLM`, …
  public var features: [String]
  /// The file and the directory of CA certificates that it was built with.
  public var caFile, caDirectory: String?

  /// Makes them of what libcurl says of itself.
  /// - Parameter protocols: the names of its protocols.
  public init(
    version: String, tls: String, protocols: Set<String>, features: [String], caFile: String? = nil,
    caDirectory: String? = nil
  ) {
    (self.version, self.tls, self.features) = (version, tls, features)
    (self.caFile, self.caDirectory) = (caFile, caDirectory)
    schemes = Scheme.all.filter { scheme in
      switch scheme.transport {
      case .disk: true
      case .http: protocols.contains(scheme == .http ? "http" : "https")
      default: protocols.contains(scheme.name)
      }
    }.map(\.name).sorted()
  }

  /// Whether it has HTTP/3.
  public var hasHTTP3: Bool { features.contains("HTTP3") }
}
