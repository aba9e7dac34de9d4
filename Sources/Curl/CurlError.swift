// Errors of libcurl as values.

internal import CCurl

/// An error of libcurl: its code, and the most specific text that libcurl has for it.
public struct CurlError: Error, Sendable, Equatable {
  /// The `CURLcode` (libcurl-errors(3)).
  public let code: Code
  /// The text of the error.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String? = nil) {
    self.code = code
    self.message = message ?? code.description
  }

  /// A `CURLcode`, which may be one that has no name here.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt32

    /// Creates a code from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ code: CURLcode) { rawValue = code.rawValue }
  }

  /// The error of a transfer that the loop stopped: `CURLE_ABORTED_BY_CALLBACK`.
  public static let aborted = CurlError(.abortedByCallback)
}

extension CurlError.Code: CustomStringConvertible {
  /// libcurl's own text for the code.
  public var description: String {
    String(cString: curl_easy_strerror(CURLcode(rawValue)))
  }

  /// The kind of error that a code means, so that a program can decide what to do.
  public enum Category: Sendable {
    /// The URL or an option is wrong, or this libcurl lacks a feature.
    case usage
    /// A name lookup, a connection or a time limit failed, or a body was cut off.
    case network
    /// TLS failed, or a certificate is not trusted.
    case tls
    /// The peer's messages violate the protocol.
    case protocolViolation
    /// A callback stopped the transfer.
    case callback
    /// Out of memory, or another cause.
    case other
  }

  /// The category of this code (libcurl-errors(3)).
  public var category: Category {
    switch CURLcode(rawValue) {
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION,
      CURLE_BAD_FUNCTION_ARGUMENT, CURLE_SSL_ENGINE_NOTFOUND:
      .usage
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE,
      CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PROXY,
      CURLE_HTTP2_STREAM, CURLE_INTERFACE_FAILED, CURLE_AGAIN, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2:
      .network
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE,
      CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CLIENTCERT:
      .tls
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP_RETURNED_ERROR,
      CURLE_TOO_MANY_REDIRECTS, CURLE_CHUNK_FAILED, CURLE_RANGE_ERROR, CURLE_FILESIZE_EXCEEDED,
      CURLE_UNRECOVERABLE_POLL:
      .protocolViolation
    case CURLE_WRITE_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_READ_ERROR:
      .callback
    default:
      .other
    }
  }

  /// `CURLE_INTERFACE_FAILED`: no socket could be bound to the interface or address.
  public static let interfaceFailed = Self(CURLE_INTERFACE_FAILED)
  /// `CURLE_ABORTED_BY_CALLBACK`.
  public static let abortedByCallback = Self(CURLE_ABORTED_BY_CALLBACK)
  /// `CURLE_PARTIAL_FILE`: the body ended before its length.
  public static let partialFile = Self(CURLE_PARTIAL_FILE)
  /// `CURLE_WRITE_ERROR`: the receiver of the body refused it.
  public static let writeError = Self(CURLE_WRITE_ERROR)
  /// `CURLE_OPERATION_TIMEDOUT`.
  public static let timedOut = Self(CURLE_OPERATION_TIMEDOUT)
  /// `CURLE_COULDNT_RESOLVE_HOST`.
  public static let hostNotFound = Self(CURLE_COULDNT_RESOLVE_HOST)
  /// `CURLE_COULDNT_RESOLVE_PROXY`.
  public static let proxyNotFound = Self(CURLE_COULDNT_RESOLVE_PROXY)
  /// `CURLE_COULDNT_CONNECT`.
  public static let couldNotConnect = Self(CURLE_COULDNT_CONNECT)
  /// `CURLE_PEER_FAILED_VERIFICATION`: the server's certificate is not trusted.
  public static let untrusted = Self(CURLE_PEER_FAILED_VERIFICATION)
  /// `CURLE_SSL_CACERT_BADFILE`: the CA certificates are missing or cannot be read.
  public static let authoritiesMissing = Self(CURLE_SSL_CACERT_BADFILE)
  /// `CURLE_SSL_PINNEDPUBKEYNOTMATCH`.
  public static let pinnedKeyDiffers = Self(CURLE_SSL_PINNEDPUBKEYNOTMATCH)
  /// `CURLE_SSL_CERTPROBLEM`: the client's certificate or key is invalid.
  public static let clientCertificate = Self(CURLE_SSL_CERTPROBLEM)
  /// `CURLE_GOT_NOTHING`: the connection closed without an answer.
  public static let gotNothing = Self(CURLE_GOT_NOTHING)
  /// `CURLE_UNSUPPORTED_PROTOCOL`: also an HTTP/0.9 answer.
  public static let unsupportedProtocol = Self(CURLE_UNSUPPORTED_PROTOCOL)
  /// `CURLE_BAD_FUNCTION_ARGUMENT`: libcurl uses this code for a line of a head that is not a header field.
  public static let badArgument = Self(CURLE_BAD_FUNCTION_ARGUMENT)
  /// The address was refused (``EasyHandle/objection``): `CURLE_NO_CONNECTION_AVAILABLE`, which libcurl uses only
  /// internally.
  public static let addressRefused = Self(CURLE_NO_CONNECTION_AVAILABLE)
  /// `CURLE_RECV_ERROR`.
  public static let receiveError = Self(CURLE_RECV_ERROR)
}
