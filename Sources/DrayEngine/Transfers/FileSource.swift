// A file that does not come over HTTP: who knows its length and its time as its first byte comes.

internal import Curl
internal import DrayCore

/// Where a file comes from that has no HTTP head.
protocol FileSource: AnyObject {
  /// The scheme it is reached by.
  var scheme: Scheme { get }
  /// What is known of it, once it is there.
  var facts: SourceFacts { get }
  /// Whether it can be had from a position on, as far as was seen.
  var servesRest: Bool { get }
  /// Takes a line that the server says next to the file; `false` when it says too much.
  func take(_ line: UnsafeRawBufferPointer) -> Bool
  /// The failure that an error of libcurl is, by what this server said.
  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure
}

/// A file on an FTP or SFTP server, by way of libcurl.
final class ServerSource: FileSource {
  let scheme: Scheme
  private let asked: Ask
  private weak var handle: EasyHandle?
  private var replies = FTPReplies()

  init(_ scheme: Scheme, asked: Ask, handle: EasyHandle) {
    self.scheme = scheme
    self.asked = asked
    self.handle = handle
  }

  var facts: SourceFacts {
    let time = handle?.fileTime
    guard scheme == .sftp else { return SourceFacts(size: replies.size(timeIsKnown: time != nil), modified: time) }
    // libcurl counts what is left; of an empty file it knows no length.
    return SourceFacts(size: handle?.expectedLength.map { $0 + asked.lower }, modified: time)
  }

  var servesRest: Bool { scheme == .sftp || replies.acceptsRest }

  func take(_ line: UnsafeRawBufferPointer) -> Bool { scheme == .sftp || replies.take(line) }

  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure {
    if scheme == .sftp { return SSHFailure.failure(error, subject, key: handle?.hostKey, info: info) }
    return FTPFailure.failure(error, subject, replies: replies, info: info)
  }
}
