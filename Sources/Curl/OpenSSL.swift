// The one thing that libcurl does with OpenSSL and has no option for.

internal import CCurl
internal import Foundation

/// OpenSSL as it is already in the process with libcurl: found at run time, so that nothing is linked for it.
enum OpenSSL {
  /// `SSL_CTX_clear_options` of OpenSSL 1.1 and later.
  private typealias ClearOptions = @convention(c) (UnsafeMutableRawPointer?, UInt64) -> UInt64

  /// `SSL_OP_IGNORE_UNEXPECTED_EOF` of OpenSSL 3 (openssl/ssl.h), which libcurl sets.
  private static let ignoreUnexpectedEOF: UInt64 = 1 << 7

  private static let clearOptions: ClearOptions? = {
    // With another TLS library the callback is handed something else, and that library has its own mind of this.
    guard LibCurl.tlsLibrary.hasPrefix("OpenSSL/"), let handle = dlopen(nil, RTLD_NOW),
      let symbol = dlsym(handle, "SSL_CTX_clear_options")
    else { return nil }
    return unsafeBitCast(symbol, to: ClearOptions.self)
  }()

  /// A `CURLOPT_SSL_CTX_FUNCTION` that has a connection which is closed without notice be an error.
  static let refuseUnexpectedEnd: ccurl_tls_callback = { _, context, _ in
    _ = OpenSSL.clearOptions?(context, OpenSSL.ignoreUnexpectedEOF)
    return CURLE_OK
  }
}
