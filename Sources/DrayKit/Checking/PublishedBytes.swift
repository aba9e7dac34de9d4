// Decides whether a file with a different inode or time still has the bytes that were published. Some file systems
// change inodes and times of unchanged files.

internal import DrayEngine

struct PublishedBytes {
  private let sums: BlockSums
  private let digest: DigestValue?
  private let size: Int64

  init(_ sums: BlockSums, _ digest: DigestValue?, size: Int64) {
    (self.sums, self.digest, self.size) = (sums, digest, size)
  }

  /// Whether the file that exists at a target is the file whose publish was `recorded`. An object of the same length is
  /// read from its server, because its ETag may prove nothing. The call blocks the calling thread.
  func are(
    _ found: FileIdentity?, _ recorded: FileIdentity, in name: String, of destination: any Destination
  ) throws(Failure) -> Bool {
    guard let found else { return false }
    switch found.recognition(of: recorded) {
    case .same: return true
    case .other where destination.traits.keepsIdentity || found.size != recorded.size: return false
    case .renumbered, .retimed, .other: return try are(in: name, of: destination)
    }
  }

  /// Whether the file with this name has the published bytes; `false` if nothing proves it. The check reads the whole
  /// file. The call blocks the calling thread.
  func are(in name: String, of destination: any Destination) throws(Failure) -> Bool {
    guard size > 0 else { return true }
    guard let file = try? destination.openTarget(name) else { return false }
    if sums.covered.isWhole(size) { return BlockComparison.differing(sums.extents, in: file)?.isEmpty ?? false }
    guard let digest else { return false }
    return try FileHashing.digest(digest.algorithm, file, size) { false } == digest
  }
}
