// vsftpd: FTP for anonymous users. Root must start it, because it changes root and user.

import Foundation

extension ServerKind {
  /// vsftpd.
  static let vsftpd = ServerKind(name: "vsftpd", program: "vsftpd", scheme: "ftp", tags: .none) { setup in
    let empty = setup.directory + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let lines = [
      "listen=YES", "listen_address=127.0.0.1", "listen_port=\(setup.port)", "background=NO", "anonymous_enable=YES",
      "local_enable=NO", "anon_root=\(setup.site)", "secure_chroot_dir=\(empty)", "connect_from_port_20=NO",
      "seccomp_sandbox=NO", "xferlog_enable=YES", "log_ftp_protocol=YES", "vsftpd_log_file=\(setup.directory)/log", "",
    ]
    return ServerStart(arguments: [try setup.write(lines.joined(separator: "\n"), to: "vsftpd.conf")])
  }
}
