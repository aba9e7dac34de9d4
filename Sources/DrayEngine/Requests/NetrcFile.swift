// Reads .netrc at the time of each request, so that the file's present contents count, and no job stores passwords from
// it.

internal import DrayCore
internal import Posix

enum NetrcFile {
  /// Returns the request with credentials from .netrc for `url`, if `url` has the origin of the request's URL and the
  /// request has no other credentials. A missing file counts as a file without entries. As in curl, a user without an
  /// entry gets an empty password.
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

  /// Whether the credentials can be sent: in a line-based protocol, a line break in them would begin another command.
  private static func fits(_ credentials: Credentials, _ url: RequestURL) -> Bool {
    Scheme(url)?.speaksHTTP ?? false || CredentialRule.isSendable(credentials)
  }

  private static func read(_ path: String) -> [UInt8] {
    // Do not wait for a pipe, because that would block the loop. A pipe was already read when the job was created.
    guard let descriptor = try? System.open(path, [.reading, .nonBlocking]) else { return [] }
    defer { System.close(descriptor) }
    return (try? System.read(descriptor, limit: Netrc.longest)) ?? []
  }
}
