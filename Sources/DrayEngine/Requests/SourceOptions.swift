// Puts a request to an FTP or SFTP server on a handle.

internal import Curl
internal import DrayCore
internal import Foundation

enum SourceOptions {
  /// Sets up a fresh handle for a request to `url`, whose scheme is not http(s).
  static func apply(
    _ request: TransferRequest, to url: RequestURL, scheme: Scheme, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) {
    try handle.set(.url, url.string)
    try handle.set(.protocols, scheme.rawValue)
    try handle.set(.fileTime, true)
    try handle.set(.keepAlive, true)
    try? handle.set(.bufferSize, RequestOptions.receiveBuffer)
    if let body = request.body {
      try handle.set(.upload, true)
      try handle.set(.uploadLength, body.length)
    }
    if ask.lower > 0 { try handle.set(.resumeFrom, ask.lower) }
    // Seconds that the server may think before each reply: the stall that is measured begins with the file.
    try handle.set(.responseTimeout, max(1, Int(request.stallTimeout.rounded(.up))))
    // An HTTP proxy would fetch the file itself, and answer in HTTP.
    try handle.set(.proxyTunnel, true)
    try handle.set(.suppressConnectHeaders, true)
    try RequestOptions.way(request, on: handle)
    if url.origin == request.url.origin {
      try credentials(NetrcFile.completed(request, for: url), scheme, handle)
    }
    if scheme == .sftp { try ssh(request, handle) }
    if scheme == .ftp, let tls = request.schemes?.tls {
      try handle.set(.useTLS, tls == .required ? TLSUse.required : TLSUse.wanted)
    }
  }

  private static func credentials(
    _ request: TransferRequest, _ scheme: Scheme, _ handle: EasyHandle
  ) throws(CurlError) {
    if let credentials = request.credentials {
      try handle.set(.userName, credentials.user)
      try handle.set(.password, credentials.password)
    } else if scheme == .sftp {
      // As ssh(1) does; FTP's own word for nobody in particular is libcurl's default.
      try handle.set(.userName, NSUserName())
    }
  }

  private static func ssh(_ request: TransferRequest, _ handle: EasyHandle) throws(CurlError) {
    let files = request.schemes
    if let key = files?.hostKey {
      try handle.set(.hostKeySHA256, key)
    } else {
      let known = files?.knownHostsFile ?? SSHFiles.path("known_hosts") ?? "/dev/null"
      try handle.checkHostKey(knownHosts: known, anyKey: request.isInsecure)
    }
    if let key = files?.privateKeyFile ?? request.authentication?.clientKey ?? SSHFiles.usualKey {
      try handle.set(.sshPrivateKey, key)
    }
    if let password = request.authentication?.clientKeyPassword { try handle.set(.privateKeyPassword, password) }
  }
}

/// The user's own files for SSH.
enum SSHFiles {
  /// The path of a file in `~/.ssh`; `nil` without a home.
  static func path(_ name: String) -> String? {
    let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return home.hasPrefix("/") ? "\(home)/.ssh/\(name)" : nil
  }

  /// The first of the keys that ssh(1) would try.
  static var usualKey: String? {
    ["id_ed25519", "id_ecdsa", "id_rsa"].lazy.compactMap(path).first { access($0, R_OK) == 0 }
  }
}
