// Files on SFTP servers.

internal import Crypto
internal import Curl
internal import DrayCore
internal import FoundationEssentials
internal import Posix

/// A file on an SFTP server. libcurl reports its length with the first byte.
final class SFTPSource: ServerSource {
  let scheme: Scheme
  private let asked: Ask
  private weak var handle: EasyHandle?
  /// The accepted host keys, in a file that libcurl reads when it connects.
  private var known: KnownHostsFile?

  /// The user that ssh(1) would use.
  var defaultUser: String? { System.passwordDatabaseUser() }

  init(_ scheme: Scheme, asked: Ask, handle: EasyHandle) {
    self.scheme = scheme
    self.asked = asked
    self.handle = handle
  }

  func apply(_ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle) throws(CurlError) {
    let files = request.schemes
    if let key = files?.hostKey {
      try handle.set(.hostKeySHA256, key)
    } else {
      known = KnownHostsFile(files?.knownHostsFile ?? SSHFiles.path("known_hosts"), for: request.url)
      try handle.checkHostKey(knownHosts: known?.path ?? "/dev/null", anyKey: request.isInsecure)
    }
    if let key = files?.privateKeyFile ?? request.authentication?.clientKey ?? SSHFiles.usualKey {
      try handle.set(.sshPrivateKey, key)
    }
    if let password = request.authentication?.clientKeyPassword { try handle.set(.privateKeyPassword, password) }
  }

  /// libcurl reports the number of remaining bytes; for an empty file, it reports nothing.
  var facts: SourceFacts {
    SourceFacts(size: handle?.expectedLength.map { $0 + asked.lower }, modified: handle?.fileTime)
  }

  var servesRest: Bool { true }

  /// A probe requests the file, and stops at the first byte.
  var sendsFileWhenProbed: Bool { true }

  func take(_ line: UnsafeRawBufferPointer) -> Bool { true }

  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure {
    SSHFailure.failure(error, subject, key: handle?.hostKey, info: info)
  }
}

/// The lines of known_hosts for one server, in a file in memory that libssh2 can read.
private final class KnownHostsFile {
  /// The maximum length of known_hosts in bytes.
  private static let longest = 16 << 20

  private let memory: MemoryFile
  /// The path of the file in memory, valid while this object lives.
  var path: String { memory.path }

  /// Copies the lines of the user's file that concern the host of `url` into memory. If the user has no such file, or
  /// there is no memory for a copy, the result is `nil`, and no host is known.
  init?(_ file: String?, for url: RequestURL) {
    guard let file, let source = try? System.open(file, [.reading, .nonBlocking]) else { return nil }
    defer { System.close(source) }
    guard let bytes = try? System.read(source, limit: KnownHostsFile.longest) else { return nil }
    let lines = KnownHosts.lines(in: bytes, host: url.host, port: url.port ?? 22) { key, text in
      Array(HMAC<Insecure.SHA1>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }
    guard let memory = try? MemoryFile("known_hosts", lines.utf8) else { return nil }
    self.memory = memory
  }

  deinit { memory.close() }
}

enum SSHFiles {
  /// Returns the path of a file in `~/.ssh`; `nil` if the user has no home directory.
  static func path(_ name: String) -> String? {
    let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (home ?? System.passwordDatabaseHome()).map { "\($0)/.ssh/\(name)" }
  }

  /// The private key that ssh(1) would try first.
  static var usualKey: String? {
    ["id_ed25519", "id_ecdsa", "id_rsa"].lazy.compactMap(path).first { System.isReadable($0) }
  }
}
