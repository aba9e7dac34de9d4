// Files on FTP servers.

internal import Curl
internal import DrayCore

/// A file on an FTP server. The server's replies give its length.
final class FTPSource: ServerSource {
  let scheme: Scheme
  private weak var handle: EasyHandle?
  private var replies = FTPReplies()

  /// No user is set here, because libcurl then uses FTP's anonymous user.
  var defaultUser: String? { nil }

  init(_ scheme: Scheme, handle: EasyHandle) {
    self.scheme = scheme
    self.handle = handle
  }

  /// Requests the length and the position by separate commands; libcurl itself would rely on the length that the server
  /// states. The end of the data connection decides the actual length.
  func apply(_ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle) throws(CurlError) {
    if request.body == nil {
      try handle.set(.ignoreLength, true)
      try handle.set(.resumeFrom, 0)
      let size = Array("*SIZE ".utf8) + url.fileNameBytes
      try handle.setCommands(ask.lower > 0 ? [size, Array("REST \(ask.lower)".utf8)] : [size])
    }
    // The scheme ftps always uses TLS.
    guard scheme == .ftp, let tls = request.schemes?.tls else { return }
    try handle.set(.useTLS, tls == .required ? TLSUse.required : TLSUse.wanted)
  }

  var showsLengthAtEnd: Bool { true }

  var facts: SourceFacts {
    let time = handle?.fileTime
    return SourceFacts(size: replies.size(timeIsKnown: time != nil), modified: time)
  }

  var servesRest: Bool { replies.acceptsRest }

  /// An FTP server reports all facts without sending the file. libcurl delivers the text of the server's replies
  /// instead.
  var sendsFileWhenProbed: Bool { false }

  func take(_ line: UnsafeRawBufferPointer) -> Bool { replies.take(line) }

  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure {
    FTPFailure.failure(error, subject, replies: replies, info: info)
  }
}
