// Checks the signatures of lists of digests with gpg and minisign.

internal import DrayEngine
internal import FoundationEssentials
internal import Posix
internal import Threads

enum SignatureVerdict: Sendable, Equatable {
  /// The signature is valid. The value names the signer.
  case good(String)
  case bad
  /// The signature could not be checked. The value is the reason.
  case unchecked(String)
}

/// The kinds of signatures that a tool can check.
enum SignatureForm: Sendable {
  /// A signature in a file beside the list, checked with the user's keyring.
  case openPGP
  /// A signature that surrounds the list.
  case clear
  /// A signature of minisign, checked with the key that the user gave.
  case minisign

  /// The suffixes that make the names of signatures from the name of the list.
  var suffixes: [String] {
    switch self {
    case .openPGP: ["gpg", "asc", "sig", "sign"]
    case .clear: []
    case .minisign: ["minisig"]
    }
  }
}

struct SignatureCheck: Sendable {
  /// The maximum number of seconds for which a tool may run.
  private static let patience = 30.0

  let form: SignatureForm
  let list: [UInt8]
  let signature: [UInt8]
  /// The key for minisign: the path of a file, or the key itself.
  let key: String?

  private static let disk = BlockingExecutor("dray.signature")

  func run() async -> SignatureVerdict {
    let made = await SignatureCheck.disk.attemptRun { () throws(Failure) in try spooled() }
    let spool: SpoolDirectory
    let names: [String]
    switch made {
    case .success(let found): (spool, names) = found
    case .failure(let failure): return .unchecked("temporary files cannot be created: \(failure.reason)")
    }
    let (listFile, signatureFile) = (PathText.join(spool.path, names[0]), PathText.join(spool.path, names[1]))
    let report = await ChildProgram.run(words(listFile, signatureFile), timeout: SignatureCheck.patience)
    SignatureCheck.disk.start { spool.remove() }
    switch report.ending {
    case .exited(let code): return verdict(code, report.output)
    case .notStarted(let why): return .unchecked("\(report.program): \(why)")
    case .signalled, .timedOut: return .unchecked("\(report.program) did not finish")
    }
  }

  /// Writes the list and the signature to files. The call blocks the calling thread.
  private func spooled() throws(Failure) -> (SpoolDirectory, [String]) {
    let spool = try SpoolDirectory()
    let names = [Job.partFileName(UUID()), Job.partFileName(UUID())]
    try failing(on: spool.path) { () throws(SystemError) in
      let directory = try TargetDirectory(path: spool.path)
      try PartFile.create(names[0], in: directory).replace(with: list)
      try PartFile.create(names[1], in: directory).replace(with: signature)
    }
    return (spool, names)
  }

  private func words(_ list: String, _ signature: String) -> [String] {
    let gpg = ["gpg", "--batch", "--no-tty", "--no-auto-key-retrieve", "--status-fd", "1", "--verify"]
    switch form {
    case .openPGP: return gpg + [signature, list]
    case .clear: return gpg + [list]
    case .minisign:
      let isFile = key.map { FileManager.default.fileExists(atPath: $0) } ?? false
      return ["minisign", "-V", "-m", list, "-x", signature, isFile ? "-p" : "-P", key ?? ""]
    }
  }

  func verdict(_ code: Int32, _ output: [String]) -> SignatureVerdict {
    if form == .minisign {
      // 1 means an invalid signature, 2 wrong usage, such as an invalid key.
      return code == 0 ? .good("the minisign key") : code == 1 ? .bad : .unchecked(output.last ?? "minisign failed")
    }
    func status(_ word: String) -> Substring? {
      output.lazy.compactMap { $0.hasPrefix("[GNUPG:] \(word) ") ? $0.dropFirst(word.count + 10) : nil }.first
    }
    if status("BADSIG") != nil { return .bad }
    if let good = status("GOODSIG"), code == 0, status("VALIDSIG") != nil {
      return .good(String(good.drop { $0 != " " }.dropFirst()))
    }
    if let key = status("NO_PUBKEY") { return .unchecked("the key \(key) is not in your keyring") }
    for (word, what) in [("EXPKEYSIG", "its key has expired"), ("REVKEYSIG", "its key was revoked")] {
      if status(word) != nil { return .unchecked(what) }
    }
    return .unchecked("gpg could not check it")
  }
}
