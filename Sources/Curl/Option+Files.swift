// Options and information for protocols that serve files: FTP, SFTP, and S3 over HTTP.

internal import CCurl

extension Option where Value == Int64 {
  /// `CURLOPT_RESUME_FROM_LARGE`: the start position of the transfer. With HTTP it becomes a `Range`.
  public static var resumeFrom: Self { .init(raw: CURLOPT_RESUME_FROM_LARGE) }
}

extension Option where Value == String {
  /// `CURLOPT_SSH_KNOWNHOSTS`: the file of known hosts.
  public static var knownHosts: Self { .init(raw: CURLOPT_SSH_KNOWNHOSTS) }
  /// `CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256`: the server's required key, in base64 without `=`.
  public static var hostKeySHA256: Self { .init(raw: CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256) }
  /// `CURLOPT_SSH_PRIVATE_KEYFILE`.
  public static var sshPrivateKey: Self { .init(raw: CURLOPT_SSH_PRIVATE_KEYFILE) }
  /// `CURLOPT_KEYPASSWD`: the password of a private key.
  public static var privateKeyPassword: Self { .init(raw: CURLOPT_KEYPASSWD) }
  /// `CURLOPT_AWS_SIGV4`: the signature, as `provider1:provider2:region:service`.
  public static var awsSignature: Self { .init(raw: CURLOPT_AWS_SIGV4) }
}

extension Option where Value == Int {
  /// `CURLOPT_USE_SSL`: a value of ``TLSUse``.
  public static var useTLS: Self { .init(raw: CURLOPT_USE_SSL) }
  /// `CURLOPT_SERVER_RESPONSE_TIMEOUT`: the timeout in seconds for replies on a control connection.
  public static var responseTimeout: Self { .init(raw: CURLOPT_SERVER_RESPONSE_TIMEOUT) }
}

extension Option where Value == Bool {
  /// `CURLOPT_FILETIME`: ask for the time at which the file was last changed.
  public static var fileTime: Self { .init(raw: CURLOPT_FILETIME) }
  /// `CURLOPT_IGNORE_CONTENT_LENGTH`: with FTP, do not ask for the file's length, and do not stop at that length.
  public static var ignoreLength: Self { .init(raw: CURLOPT_IGNORE_CONTENT_LENGTH) }
  /// `CURLOPT_HTTPPROXYTUNNEL`: tunnel through an HTTP proxy with CONNECT.
  public static var proxyTunnel: Self { .init(raw: CURLOPT_HTTPPROXYTUNNEL) }
}

/// The values of ``Option/useTLS``.
public enum TLSUse {
  /// `CURLUSESSL_TRY`.
  public static let wanted = Int(CURLUSESSL_TRY.rawValue)
  /// `CURLUSESSL_ALL`.
  public static let required = Int(CURLUSESSL_ALL.rawValue)
}

extension EasyHandle {
  /// Sets a 64-bit number.
  public func set(_ option: Option<Int64>, _ value: Int64) throws(CurlError) {
    let result = ccurl_setopt_offset(raw, option.raw, curl_off_t(value))
    if result != CURLE_OK { throw CurlError(.init(result)) }
  }

  /// The time of the file's last change as reported by the server (`CURLINFO_FILETIME_T`), in seconds since 1970.
  public var fileTime: Int64? {
    var value: curl_off_t = -1
    _ = ccurl_getinfo_offset(raw, CURLINFO_FILETIME_T, &value)
    return value >= 0 ? Int64(value) : nil
  }

  /// The expected number of bytes (`CURLINFO_CONTENT_LENGTH_DOWNLOAD_T`), if known.
  public var expectedLength: Int64? {
    var value: curl_off_t = -1
    _ = ccurl_getinfo_offset(raw, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &value)
    return value >= 0 ? Int64(value) : nil
  }
}

extension CurlError.Code {
  /// `CURLE_LOGIN_DENIED`.
  public static let loginDenied = Self(CURLE_LOGIN_DENIED)
  /// `CURLE_REMOTE_ACCESS_DENIED`.
  public static let accessDenied = Self(CURLE_REMOTE_ACCESS_DENIED)
  /// `CURLE_REMOTE_FILE_NOT_FOUND`.
  public static let fileNotFound = Self(CURLE_REMOTE_FILE_NOT_FOUND)
  /// `CURLE_BAD_DOWNLOAD_RESUME`: the start position is beyond the end.
  public static let badResume = Self(CURLE_BAD_DOWNLOAD_RESUME)
  /// `CURLE_FTP_COULDNT_USE_REST`: the server cannot start at a position.
  public static let restRefused = Self(CURLE_FTP_COULDNT_USE_REST)
  /// `CURLE_QUOTE_ERROR`: the server refuses a command of ``EasyHandle/setCommands(_:)``.
  public static let commandRefused = Self(CURLE_QUOTE_ERROR)
  /// `CURLE_USE_SSL_FAILED`: TLS was required, and the server has none.
  public static let tlsRefused = Self(CURLE_USE_SSL_FAILED)
  /// `CURLE_SSH`: any SSH error.
  public static let ssh = Self(CURLE_SSH)
}
