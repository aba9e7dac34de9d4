// The typed options of an easy handle. Each option knows the C type that libcurl requires.

internal import CCurl

/// An option of ``EasyHandle`` that takes a `Value` (curl_easy_setopt(3)).
public struct Option<Value>: Sendable {
  let raw: CURLoption
}

extension Option where Value == String {
  /// `CURLOPT_URL`.
  public static var url: Self { .init(raw: CURLOPT_URL) }
  /// `CURLOPT_CUSTOMREQUEST`: the method.
  public static var method: Self { .init(raw: CURLOPT_CUSTOMREQUEST) }
  /// `CURLOPT_USERAGENT`.
  public static var userAgent: Self { .init(raw: CURLOPT_USERAGENT) }
  /// `CURLOPT_REFERER`.
  public static var referer: Self { .init(raw: CURLOPT_REFERER) }
  /// `CURLOPT_COOKIE`.
  public static var cookie: Self { .init(raw: CURLOPT_COOKIE) }
  /// `CURLOPT_USERNAME`.
  public static var userName: Self { .init(raw: CURLOPT_USERNAME) }
  /// `CURLOPT_PASSWORD`.
  public static var password: Self { .init(raw: CURLOPT_PASSWORD) }
  /// `CURLOPT_PROXY`: the proxy. The empty string means no proxy, whatever the environment says.
  public static var proxy: Self { .init(raw: CURLOPT_PROXY) }
  /// `CURLOPT_NOPROXY`: the hosts for which no proxy is used. With the empty string, the proxy is used for all hosts,
  /// whatever the environment says.
  public static var noProxy: Self { .init(raw: CURLOPT_NOPROXY) }
  /// `CURLOPT_CAINFO`.
  public static var caFile: Self { .init(raw: CURLOPT_CAINFO) }
  /// `CURLOPT_INTERFACE`: the interface, address or host name to send from.
  public static var interface: Self { .init(raw: CURLOPT_INTERFACE) }
  /// `CURLOPT_PROTOCOLS_STR`: the allowed schemes, comma-separated.
  public static var protocols: Self { .init(raw: CURLOPT_PROTOCOLS_STR) }
}

extension Option where Value == Int {
  /// `CURLOPT_BUFFERSIZE`: the size of the receive buffer in bytes.
  public static var bufferSize: Self { .init(raw: CURLOPT_BUFFERSIZE) }
  /// `CURLOPT_EXPECT_100_TIMEOUT_MS`: the time to wait for the permission to send a body.
  public static var expectTimeoutMilliseconds: Self { .init(raw: CURLOPT_EXPECT_100_TIMEOUT_MS) }
  /// `CURLOPT_CONNECTTIMEOUT_MS`.
  public static var connectTimeoutMilliseconds: Self { .init(raw: CURLOPT_CONNECTTIMEOUT_MS) }
  /// `CURLOPT_IPRESOLVE`: one of the `CURL_IPRESOLVE_` values.
  public static var addressFamily: Self { .init(raw: CURLOPT_IPRESOLVE) }
  /// `CURLOPT_HTTPAUTH`: a mask of the `CURLAUTH_` values.
  public static var authentication: Self { .init(raw: CURLOPT_HTTPAUTH) }
  /// `CURLOPT_PROXYAUTH`: a mask of the `CURLAUTH_` values.
  public static var proxyAuthentication: Self { .init(raw: CURLOPT_PROXYAUTH) }
}

extension Option where Value == Int64 {
  /// `CURLOPT_INFILESIZE_LARGE`: the length of the request body in bytes.
  public static var uploadLength: Self { .init(raw: CURLOPT_INFILESIZE_LARGE) }
}

extension Option where Value == Bool {
  /// `CURLOPT_UPLOAD`: send a body, from ``LoopTransfer/send(into:)``.
  public static var upload: Self { .init(raw: CURLOPT_UPLOAD) }
  /// `CURLOPT_HTTPGET`.
  public static var get: Self { .init(raw: CURLOPT_HTTPGET) }
  /// `CURLOPT_NOBODY`: send a HEAD request.
  public static var noBody: Self { .init(raw: CURLOPT_NOBODY) }
  /// `CURLOPT_FOLLOWLOCATION`.
  public static var followLocation: Self { .init(raw: CURLOPT_FOLLOWLOCATION) }
  /// `CURLOPT_NOSIGNAL`.
  public static var noSignal: Self { .init(raw: CURLOPT_NOSIGNAL) }
  /// `CURLOPT_SSL_VERIFYPEER`.
  public static var verifyPeer: Self { .init(raw: CURLOPT_SSL_VERIFYPEER) }
  /// `CURLOPT_CERTINFO`: keep information on the certificates of new connections.
  public static var certificateInfo: Self { .init(raw: CURLOPT_CERTINFO) }
  /// `CURLOPT_SSL_VERIFYHOST`: `true` means libcurl's 2.
  public static var verifyHost: Self { .init(raw: CURLOPT_SSL_VERIFYHOST) }
  /// `CURLOPT_HTTP09_ALLOWED`.
  public static var allowHTTP09: Self { .init(raw: CURLOPT_HTTP09_ALLOWED) }
  /// `CURLOPT_FRESH_CONNECT`.
  public static var freshConnection: Self { .init(raw: CURLOPT_FRESH_CONNECT) }
  /// `CURLOPT_PIPEWAIT`: wait for a multiplexed connection rather than open another.
  public static var pipeWait: Self { .init(raw: CURLOPT_PIPEWAIT) }
  /// `CURLOPT_TCP_KEEPALIVE`.
  public static var keepAlive: Self { .init(raw: CURLOPT_TCP_KEEPALIVE) }
  /// `CURLOPT_SUPPRESS_CONNECT_HEADERS`: do not deliver the heads of a proxy's answers to CONNECT.
  public static var suppressConnectHeaders: Self { .init(raw: CURLOPT_SUPPRESS_CONNECT_HEADERS) }
  /// `CURLOPT_VERBOSE`: write libcurl's log, which contains secrets, to a callback or else to standard error.
  public static var verbose: Self { .init(raw: CURLOPT_VERBOSE) }
}

/// The values of ``Option/addressFamily``.
public enum ResolveFamily {
  /// `CURL_IPRESOLVE_V4`.
  public static let ipv4 = Int(CURL_IPRESOLVE_V4)
  /// `CURL_IPRESOLVE_V6`.
  public static let ipv6 = Int(CURL_IPRESOLVE_V6)
}

/// The values of ``Option/authentication``.
public enum AuthenticationScheme {
  /// `CURLAUTH_BASIC`.
  public static let basic = 1 << 0
  /// `CURLAUTH_DIGEST`.
  public static let digest = 1 << 1
}
