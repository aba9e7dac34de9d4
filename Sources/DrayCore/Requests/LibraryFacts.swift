// The facts about libcurl that matter for downloads.

/// The facts about libcurl.
public struct LibraryFacts: Sendable, Equatable {
  /// The system's message on why libcurl cannot be used, for example because it is missing; `nil` if it can. Otherwise
  /// all other facts are empty.
  public var lack: String?
  /// The version: `7.88.1`.
  public var version: String
  /// The TLS library: `OpenSSL/3.0.19`.
  public var tls: String
  /// The schemes that can be fetched, in alphabetical order.
  public var schemes: [String]
  /// The features that matter for downloads: `HTTP2`, `HTTP3`, `NTLM`, …
  public var features: [String]
  /// The file and the directory of CA certificates that libcurl was built with.
  public var caFile, caDirectory: String?

  /// Creates facts from libcurl's own information.
  /// - Parameters:
  ///   - protocols: The names of the supported protocols.
  ///   - lack: Why libcurl cannot be used.
  public init(
    version: String, tls: String, protocols: Set<String>, features: [String], caFile: String? = nil,
    caDirectory: String? = nil, lack: String? = nil
  ) {
    self.lack = lack
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

  /// The advice if libcurl is missing.
  public static let adviceWithout = "install libcurl 7.81 or newer, on Debian and Ubuntu with `apt install libcurl4`"

  /// Whether libcurl supports HTTP/3.
  public var hasHTTP3: Bool { features.contains("HTTP3") }
}
