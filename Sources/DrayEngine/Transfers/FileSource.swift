// A file that does not come over HTTP: its length and its time are known when its first byte comes.

internal import Curl
internal import DrayCore

/// Where a file comes from that has no HTTP head.
protocol FileSource: AnyObject {
  /// The scheme it is reached by.
  var scheme: Scheme { get }
  /// What is known of it, once it is there.
  var facts: SourceFacts { get }
  /// Whether only the end of the transfer shows the length of the file. The length in ``facts`` is the server's and may
  /// be wrong.
  var showsLengthAtEnd: Bool { get }
  /// Whether it can be had from a position on, as far as was seen.
  var servesRest: Bool { get }
  /// Whether bytes in the answer to a probe are the file's, so that the first one proves that it exists.
  var sendsFileWhenProbed: Bool { get }
  /// Reads a reply of the server; `false` if there are too many.
  func take(_ line: UnsafeRawBufferPointer) -> Bool
  /// The failure that an error of libcurl is, by what this server said.
  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure
}

/// A file on a server without HTTP, by way of libcurl.
protocol ServerSource: FileSource {
  /// Whom the request names where no user was given; `nil` leaves it to libcurl.
  var defaultUser: String? { get }
  /// Sets what only this protocol has.
  func apply(_ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle) throws(CurlError)
}

extension FileSource {
  var showsLengthAtEnd: Bool { false }
}

extension ServerSource {
  /// Sets up a fresh handle for a request to `url`.
  func prepare(
    _ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) {
    try SourceOptions.apply(request, to: url, scheme: scheme, asking: ask, defaultUser: defaultUser, on: handle)
    try apply(request, to: url, asking: ask, on: handle)
  }
}

extension Scheme {
  /// The server of a request by this scheme; `nil` if it is one of HTTP, or none is asked.
  func server(asked: Ask, handle: EasyHandle) -> (any ServerSource)? {
    switch transport {
    case .http, .disk: nil
    case .ftp: FTPSource(self, handle: handle)
    case .sftp: SFTPSource(self, asked: asked, handle: handle)
    }
  }
}
