// Signatures of lists of digests, checked by the tools that people sign with: gpg and minisign.

internal import DrayEngine
internal import FoundationEssentials
internal import Glibc
internal import Posix
internal import Threads

/// What became of a signature.
enum SignatureVerdict: Sendable, Equatable {
  /// It is good; by whom.
  case good(String)
  /// It is not that of the list.
  case bad
  /// It could not be checked, and why.
  case unchecked(String)
}

/// A signature that a tool can check.
enum SignatureForm: Sendable {
  /// OpenPGP beside the list, in the user's own keyring.
  case openPGP
  /// OpenPGP around the list.
  case clear
  /// minisign, with the key that the user gave.
  case minisign

  /// What is added to the name of the list for the names of its signature.
  var suffixes: [String] {
    switch self {
    case .openPGP: ["gpg", "asc", "sig", "sign"]
    case .clear: []
    case .minisign: ["minisig"]
    }
  }
}

/// One signature to be checked.
struct SignatureCheck: Sendable {
  /// Seconds that a tool may take.
  private static let patience = 30.0

  let form: SignatureForm
  let list: [UInt8]
  let signature: [UInt8]
  /// The public key for minisign: a file, or the key itself.
  let key: String?

  /// Where files are written for the tools.
  private static let disk = BlockingQueue("dray.signature")

  /// Makes the tool check it.
  func run() async -> SignatureVerdict {
    let made = await SignatureCheck.disk.attemptRun { () throws(Failure) in try spooled() }
    let spool: SpoolDirectory
    let names: [String]
    switch made {
    case .success(let found): (spool, names) = found
    case .failure(let failure): return .unchecked("temporary files cannot be created: \(failure.reason)")
    }
    let (listFile, signatureFile) = (
      PathText.join(spool.directory.path, names[0]), PathText.join(spool.directory.path, names[1])
    )
    let report = await ChildProgram.run(words(listFile, signatureFile), timeout: SignatureCheck.patience)
    SignatureCheck.disk.start {
      try? spool.directory.remove(names[1])
      spool.remove()
    }
    switch report.ending {
    case .exited(let code): return verdict(code, report.output)
    case .notStarted(let why): return .unchecked("\(report.program): \(why)")
    case .signalled, .timedOut: return .unchecked("\(report.program) did not finish")
    }
  }

  /// The list and the signature as files. Blocks.
  private func spooled() throws(Failure) -> (SpoolDirectory, [String]) {
    let spool = try SpoolDirectory()
    let names = [spool.name, Job.partFileName(UUID())]
    try failing(on: spool.directory.path) { () throws(SystemError) in
      try PartFile.create(names[0], in: spool.directory).replace(with: list)
      try PartFile.create(names[1], in: spool.directory).replace(with: signature)
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

  /// Reads what the tool said.
  func verdict(_ code: Int32, _ output: [String]) -> SignatureVerdict {
    if form == .minisign {
      // 2 is a usage error: an invalid key, say. A signature that is not good is 1.
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
