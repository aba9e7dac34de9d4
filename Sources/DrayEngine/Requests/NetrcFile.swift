// Reads the .netrc that a request names, when it is made: what the file says then counts, and none of it is in a job.

internal import DrayCore
internal import Glibc
internal import Posix

enum NetrcFile {
  /// The request with what its .netrc has for `url`, where that is of its own origin and nothing else says who asks. A file
  /// that is not there says nothing; a user without an entry has an empty password, as with curl.
  static func completed(_ request: TransferRequest, for url: RequestURL) -> TransferRequest {
    guard request.credentials == nil, let path = request.netrcFile, url.origin == request.address.origin else {
      return request
    }
    var completed = request
    completed.credentials = Netrc(read(path)).credentials(
      for: url.host, user: request.netrcUser, skippingDefault: request.netrcSkipsDefault ?? false)
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

  private static func read(_ path: String) -> [UInt8] {
    // A pipe would keep the loop waiting, and has been read when the job was made.
    guard let descriptor = try? System.open(path, O_RDONLY | O_NONBLOCK) else { return [] }
    defer { System.close(descriptor) }
    return (try? System.read(descriptor, limit: Netrc.longest)) ?? []
  }
}
