// A source for a file that is not transferred over HTTP. The file's length and time are known at its first byte.

internal import Curl
internal import DrayCore

protocol FileSource: AnyObject {
  var scheme: Scheme { get }
  /// The facts about the file, known at the first byte at the latest.
  var facts: SourceFacts { get }
  /// Whether the length is certain only at the end of the transfer. Until then, the length in ``facts`` is the one that
  /// the server stated, which may be wrong.
  var showsLengthAtEnd: Bool { get }
  /// Whether the source can serve the file from a position other than 0, as far as known.
  var servesRest: Bool { get }
  /// Whether the answer to a probe contains bytes of the file. If so, the first byte proves that the file exists.
  var sendsFileWhenProbed: Bool { get }
  /// Takes a line of a reply; returns `false` if there are too many lines.
  func take(_ line: UnsafeRawBufferPointer) -> Bool
  /// Returns the failure, with the server's replies as the explanation.
  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure
}

/// A source whose file libcurl transfers.
protocol ServerSource: FileSource {
  /// The user for a request that names none; with `nil`, libcurl chooses.
  var defaultUser: String? { get }
  func apply(_ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle) throws(CurlError)
}

extension FileSource {
  var showsLengthAtEnd: Bool { false }
}

extension ServerSource {
  /// Prepares a new handle for a request.
  func prepare(
    _ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) {
    try SourceOptions.apply(request, to: url, scheme: scheme, asking: ask, defaultUser: defaultUser, on: handle)
    try apply(request, to: url, asking: ask, on: handle)
  }
}

extension Scheme {
  /// Returns the source; `nil` for HTTP, and for a request that needs no server.
  func server(asked: Ask, handle: EasyHandle) -> (any ServerSource)? {
    switch transport {
    case .http, .disk: nil
    case .ftp: FTPSource(self, handle: handle)
    case .sftp: SFTPSource(self, asked: asked, handle: handle)
    }
  }
}
