// Reads a request's .netrc at the time of the request, so that the present contents count, and no job stores the
// passwords.

internal import DrayCore
internal import Posix

enum NetrcFile {
  /// Returns the request with credentials from .netrc for `url`, if `url` has the request's origin and there are no
  /// other credentials. A missing file has no entries. As in curl, a user who has no entry gets an empty password.
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

  /// Whether the credentials can be sent: in a line protocol, the end of a line would begin another command.
  private static func fits(_ credentials: Credentials, _ url: RequestURL) -> Bool {
    Scheme(url)?.speaksHTTP ?? false || CredentialRule.isSendable(credentials)
  }

  private static func read(_ path: String) -> [UInt8] {
    // Do not wait for a pipe, which would block the loop; it was already read when the job was created.
    guard let descriptor = try? System.open(path, [.reading, .nonBlocking]) else { return [] }
    defer { System.close(descriptor) }
    return (try? System.read(descriptor, limit: Netrc.longest)) ?? []
  }
}
