// sftp.

extension Scheme {
  /// Files over SSH. `/~/` is the login's home directory.
  public static let sftp = Scheme(
    "sftp", port: 22, .sftp, authors: [.user], listing: .lines,
    [.upload, .credentials, .privateKey, .hostKey, .resume, .proxy],
    Form(file: FilePath()))
}
