// A file that is not transferred over HTTP. Its length and time are known at its first byte.

internal import Curl
internal import DrayCore

protocol FileSource: AnyObject {
  var scheme: Scheme { get }
  /// Known with the first byte at the latest.
  var facts: SourceFacts { get }
  /// Whether the length of the file is certain only at the end of the transfer. The length in ``facts`` is the
  /// server's, and may be wrong.
  var showsLengthAtEnd: Bool { get }
  /// Whether the source serves the file from a position, as far as known.
  var servesRest: Bool { get }
  /// Whether a probe's answer has bytes of the file. Its first byte then proves that the file exists.
  var sendsFileWhenProbed: Bool { get }
  /// `false` if there are too many.
  func take(_ line: UnsafeRawBufferPointer) -> Bool
  /// Based on the server's replies.
  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure
}

/// libcurl transfers the file.
protocol ServerSource: FileSource {
  /// The user of a request without one; `nil` leaves the user to libcurl.
  var defaultUser: String? { get }
  func apply(_ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle) throws(CurlError)
}

extension FileSource {
  var showsLengthAtEnd: Bool { false }
}

extension ServerSource {
  /// The handle is new.
  func prepare(
    _ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) {
    try SourceOptions.apply(request, to: url, scheme: scheme, asking: ask, defaultUser: defaultUser, on: handle)
    try apply(request, to: url, asking: ask, on: handle)
  }
}

extension Scheme {
  /// `nil` for HTTP, and for requests without a server.
  func server(asked: Ask, handle: EasyHandle) -> (any ServerSource)? {
    switch transport {
    case .http, .disk: nil
    case .ftp: FTPSource(self, handle: handle)
    case .sftp: SFTPSource(self, asked: asked, handle: handle)
    }
  }
}
