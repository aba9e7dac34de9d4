// sftp.

extension Scheme {
  /// Files over SSH. `/~/` means the home directory of the user who logs in.
  package static let sftp = Scheme(
    "sftp", port: 22, .sftp, authors: [.user], listing: .lines,
    [.upload, .credentials, .privateKey, .hostKey, .resume, .proxy],
    Form(file: FilePath()))
}
