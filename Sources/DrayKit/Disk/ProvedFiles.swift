// Remembers which files have which digests, so that large files are not hashed again and again.

internal import DrayEngine
internal import Synchronization

/// The files whose digests this process knows: it published them, or it has hashed them. A file that has changed since
/// then is hashed again.
final class ProvedFiles: Sendable {
  static let shared = ProvedFiles()

  private struct Key: Hashable {
    var device: UInt64
    var inode: UInt64

    init(_ identity: FileIdentity) { (device, inode) = (identity.device, identity.inode) }
  }

  private struct Known {
    var identity: FileIdentity
    var digest: DigestValue
  }

  /// The maximum number of files that are remembered.
  private static let most = 10_000

  private let files = Mutex<[Key: Known]>([:])

  /// Remembers the digest of a file.
  func put(_ digest: DigestValue, of name: String, in directory: TargetDirectory) {
    if let identity = directory.identity(of: name) { put(digest, identity) }
  }

  private func put(_ digest: DigestValue, _ identity: FileIdentity) {
    files.withLock { files in
      if files.count >= ProvedFiles.most { files = [:] }
      files[Key(identity)] = Known(identity: identity, digest: digest)
    }
  }

  /// Whether a file has a digest. The file is hashed unless its digest is known. The call blocks the calling thread.
  /// - Throws: Kind `file`.
  func has(_ digest: DigestValue, _ name: String, in directory: TargetDirectory) throws(Failure) -> Bool {
    guard let identity = directory.identity(of: name) else { return false }
    let known = files.withLock { $0[Key(identity)] }
    if let known, known.identity == identity, known.digest.algorithm == digest.algorithm {
      return known.digest == digest
    }
    let found = try FileDigest.compute([digest.algorithm], ofFileAt: PathText.join(directory.path, name))
    guard let actual = found.values.first, directory.identity(of: name) == identity else { return false }
    put(actual, identity)
    return actual == digest
  }
}
