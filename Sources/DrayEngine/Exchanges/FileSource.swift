// A file that is not transferred over HTTP, whose length and time are known at its first byte.

internal import Curl
internal import DrayCore

protocol FileSource: AnyObject {
  var scheme: Scheme { get }
  /// The facts, known at the first byte at the latest.
  var facts: SourceFacts { get }
  /// Whether only the end of the transfer shows the length for certain. The length in ``facts`` is what the server
  /// said, which may be wrong.
  var showsLengthAtEnd: Bool { get }
  /// Whether the source serves the file from a position, as far as known.
  var servesRest: Bool { get }
  /// Whether the answer to a probe contains bytes of the file; the first byte then proves that the file exists.
  var sendsFileWhenProbed: Bool { get }
  /// Takes a line of a reply; `false` if there are too many.
  func take(_ line: UnsafeRawBufferPointer) -> Bool
  /// Returns the failure, as the server's replies explain it.
  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure
}

/// A source whose file is transferred by libcurl.
protocol ServerSource: FileSource {
  /// The user for a request that names none; `nil` leaves that to libcurl.
  var defaultUser: String? { get }
  func apply(_ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle) throws(CurlError)
}

extension FileSource {
  var showsLengthAtEnd: Bool { false }
}

extension ServerSource {
  /// Prepares a new handle.
  func prepare(
    _ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) {
    try SourceOptions.apply(request, to: url, scheme: scheme, asking: ask, defaultUser: defaultUser, on: handle)
    try apply(request, to: url, asking: ask, on: handle)
  }
}

extension Scheme {
  /// Returns the source; `nil` for HTTP, and for requests without a server.
  func server(asked: Ask, handle: EasyHandle) -> (any ServerSource)? {
    switch transport {
    case .http, .disk: nil
    case .ftp: FTPSource(self, handle: handle)
    case .sftp: SFTPSource(self, asked: asked, handle: handle)
    }
  }
}
