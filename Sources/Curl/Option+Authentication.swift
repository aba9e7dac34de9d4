// Easy handle options for authentication and trust.

internal import CCurl

extension Option where Value == String {
  /// `CURLOPT_XOAUTH2_BEARER`: a bearer token (RFC 6750).
  public static var bearer: Self { .init(raw: CURLOPT_XOAUTH2_BEARER) }
  /// `CURLOPT_SSLCERT`: the file of the client certificate.
  public static var clientCertificate: Self { .init(raw: CURLOPT_SSLCERT) }
  /// `CURLOPT_SSLCERTTYPE`: `PEM`, `DER` or `P12`.
  public static var clientCertificateType: Self { .init(raw: CURLOPT_SSLCERTTYPE) }
  /// `CURLOPT_SSLKEY`: the file of the client certificate's key.
  public static var clientKey: Self { .init(raw: CURLOPT_SSLKEY) }
  /// `CURLOPT_KEYPASSWD`: the password of the key. If it is missing, OpenSSL would ask the user on the terminal.
  public static var clientKeyPassword: Self { .init(raw: CURLOPT_KEYPASSWD) }
  /// `CURLOPT_PINNEDPUBLICKEY`: `sha256//…;sha256//…`, or a file.
  public static var pinnedPublicKey: Self { .init(raw: CURLOPT_PINNEDPUBLICKEY) }
  /// `CURLOPT_CAPATH`: a directory of certificates, prepared with c_rehash.
  public static var caPath: Self { .init(raw: CURLOPT_CAPATH) }
  /// `CURLOPT_PROXYUSERNAME`.
  public static var proxyUserName: Self { .init(raw: CURLOPT_PROXYUSERNAME) }
  /// `CURLOPT_PROXYPASSWORD`.
  public static var proxyPassword: Self { .init(raw: CURLOPT_PROXYPASSWORD) }
}

extension Option where Value == Bool {
  /// `CURLOPT_FORBID_REUSE`: close the connection after the transfer.
  public static var forbidReuse: Self { .init(raw: CURLOPT_FORBID_REUSE) }
}

extension Option where Value == Int {
  /// `CURLOPT_HTTP_VERSION`: one of the `CURL_HTTP_VERSION_` values.
  public static var httpVersion: Self { .init(raw: CURLOPT_HTTP_VERSION) }
}

/// The values of ``Option/httpVersion``.
public enum HTTPVersionCode {
  /// `CURL_HTTP_VERSION_1_1`.
  public static let http11 = CURL_HTTP_VERSION_1_1
  /// `CURL_HTTP_VERSION_3`: HTTP/3, with a TCP connection tried in parallel.
  public static let http3 = CURL_HTTP_VERSION_3
}

// Swift cannot import the macros of curl.h, because they contain casts.
extension AuthenticationScheme {
  /// `CURLAUTH_NEGOTIATE`.
  public static let negotiate = 1 << 2
  /// `CURLAUTH_NTLM`.
  public static let ntlm = 1 << 3
  /// `CURLAUTH_BEARER`.
  public static let bearer = 1 << 6
}

/// The features of a libcurl (curl_version_info(3)).
public enum LibCurlFeature: Int, Sendable {
  /// `CURL_VERSION_SSL`.
  case tls = 0x4
  /// `CURL_VERSION_ASYNCHDNS`: name lookup does not block transfers.
  case asynchronousNames = 0x80
  /// `CURL_VERSION_NTLM`.
  case ntlm = 0x10
  /// `CURL_VERSION_SPNEGO`.
  case negotiate = 0x100
  /// `CURL_VERSION_HTTP2`.
  case http2 = 0x1_0000
  /// `CURL_VERSION_BROTLI`.
  case brotli = 0x80_0000
  /// `CURL_VERSION_HTTP3`.
  case http3 = 0x200_0000
  /// `CURL_VERSION_ZSTD`.
  case zstd = 0x400_0000
  /// `CURL_VERSION_PSL`: cookies for whole public suffixes are refused.
  case publicSuffixList = 0x10_0000
}
