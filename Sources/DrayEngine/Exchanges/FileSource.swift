// A file that is not transferred over HTTP. Its length and time are known at its first byte.

internal import Curl
internal import DrayCore

/// The source of a file without an HTTP head.
protocol FileSource: AnyObject {
  /// Its scheme.
  var scheme: Scheme { get }
  /// Its facts, once they are known.
  var facts: SourceFacts { get }
  /// Whether only the end of the transfer shows the length of the file. The length in ``facts`` is the server's and may
  /// be wrong.
  var showsLengthAtEnd: Bool { get }
  /// Whether it can be fetched from a position, as far as is known.
  var servesRest: Bool { get }
  /// Whether the answer to a probe has bytes of the file, so that the first one proves that it exists.
  var sendsFileWhenProbed: Bool { get }
  /// Reads a reply of the server; `false` if there are too many.
  func take(_ line: UnsafeRawBufferPointer) -> Bool
  /// Returns the failure for an error of libcurl, based on the server's replies.
  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure
}

/// A file that libcurl transfers from a server without HTTP.
protocol ServerSource: FileSource {
  /// The user of a request without one; `nil` leaves it to libcurl.
  var defaultUser: String? { get }
  /// Sets the options of this protocol.
  func apply(_ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle) throws(CurlError)
}

extension FileSource {
  var showsLengthAtEnd: Bool { false }
}

extension ServerSource {
  /// Sets up a new handle for a request to `url`.
  func prepare(
    _ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) {
    try SourceOptions.apply(request, to: url, scheme: scheme, asking: ask, defaultUser: defaultUser, on: handle)
    try apply(request, to: url, asking: ask, on: handle)
  }
}

extension Scheme {
  /// Returns the server of a request by this scheme; `nil` for HTTP, and for requests without a server.
  func server(asked: Ask, handle: EasyHandle) -> (any ServerSource)? {
    switch transport {
    case .http, .disk: nil
    case .ftp: FTPSource(self, handle: handle)
    case .sftp: SFTPSource(self, asked: asked, handle: handle)
    }
  }
}
