/// The facts about the installed libcurl that matter for downloads.
package struct LibraryFacts: Sendable, Equatable {
  /// The version, such as `7.88.1`.
  package var version: String
  /// The TLS library, such as `OpenSSL/3.0.19`.
  package var tls: String
  /// The schemes that can be fetched, in alphabetical order.
  package var schemes: [String]
  /// The features that matter for downloads: `HTTP2`, `HTTP3`, `NTLM`, …
  package var features: [String]
  /// The file and the directory of CA certificates with which libcurl was built.
  package var caFile, caDirectory: String?

  /// Creates facts from libcurl's information.
  /// - Parameter protocols: The names of the supported protocols.
  package init(
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

  /// Whether libcurl supports HTTP/3.
  package var hasHTTP3: Bool { features.contains("HTTP3") }
}
