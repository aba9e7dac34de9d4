internal import CCurl
internal import Glibc

/// The libcurl that this process uses.
public enum LibCurl {
  private static let initialized = curl_global_init(Int(CURL_GLOBAL_ALL))
  private static var info: curl_version_info_data { ccurl_version_info().pointee }

  /// Prepares libcurl for use, once per process. Handles call this automatically.
  /// - Throws: ``CurlError`` if libcurl cannot be set up.
  static func initialize() throws(CurlError) {
    if initialized != CURLE_OK { throw CurlError(.init(initialized)) }
  }

  /// The TLS library of libcurl, for example `OpenSSL/3.0.19`; empty if it has none.
  public static var tlsLibrary: String { info.ssl_version.map { String(cString: $0) } ?? "" }

  /// The version of the libcurl in use: `7.88.1`.
  public static var version: String { String(cString: info.version) }

  /// The file of CA certificates that the libcurl in use was built with.
  public static var caFile: String? { info.cainfo.map { String(cString: $0) } }

  /// The directory of CA certificates that libcurl was built with.
  public static var caDirectory: String? { info.capath.map { String(cString: $0) } }

  /// The protocols that the libcurl in use was built with: `http`, `https`, `sftp`, …
  public static var protocols: [String] {
    var names: [String] = []
    var next = info.protocols
    while let name = next?.pointee {
      names.append(String(cString: name))
      next = next?.successor()
    }
    return names
  }

  /// Whether the installed libcurl has a feature.
  public static func has(_ feature: LibCurlFeature) -> Bool { Int(info.features) & feature.rawValue != 0 }
}
