// sftp.

extension Scheme {
  /// Files by way of SSH; `/~/` begins at the login's directory.
  public static let sftp = Scheme(
    "sftp", port: 22, .sftp, authors: [.user], listing: .lines,
    [.upload, .credentials, .privateKey, .hostKey, .resume, .proxy],
    Form(file: FilePath()))
}
