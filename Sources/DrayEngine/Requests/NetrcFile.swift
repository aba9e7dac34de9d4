// Reads the .netrc that a request names, when it is made: what the file says then counts, and none of it is in a job.

internal import DrayCore
internal import Foundation

enum NetrcFile {
  /// The request with what its .netrc has for `url`, where that is of its own origin and nothing else says who asks. A file
  /// that is not there says nothing; a user without an entry has an empty password, as with curl.
  static func completed(_ request: TransferRequest, for url: RequestURL) -> TransferRequest {
    guard request.credentials == nil, let path = request.netrcFile, url.origin == request.address.origin else {
      return request
    }
    var completed = request
    completed.credentials = Netrc(read(path)).credentials(for: url.host, user: request.netrcUser)
    if let found = completed.credentials, !fits(found, url) { completed.credentials = nil }
    if completed.credentials == nil, let user = request.netrcUser {
      completed.credentials = Credentials(user: user, password: "")
    }
    return completed
  }

  /// Whether they can be sent: in a protocol of lines, a line end within a word would be another command.
  private static func fits(_ credentials: Credentials, _ url: RequestURL) -> Bool {
    Scheme(url)?.speaksHTTP ?? false
      || !(credentials.user + credentials.password).utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }

  private static func read(_ path: String) -> Data {
    // A pipe would keep the loop waiting, and has been read when the job was made.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return Data() }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return (try? handle.read(upToCount: Netrc.longest)) ?? Data()
  }
}
