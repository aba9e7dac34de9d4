// Computes digests of files, with failures that users understand.

internal import DrayEngine
internal import Posix

enum FileHashing {
  /// Returns the digest of a file; `nil` if cancelled. The call blocks the calling thread.
  static func digest(
    _ algorithm: DigestAlgorithm, _ file: any StoredBytes, _ size: Int64, _ isCancelled: () -> Bool
  ) throws(Failure) -> DigestValue? {
    try digests([algorithm], file, size, isCancelled)?.first
  }

  /// Returns digests. Digests that `transfer` has computed are not computed again; for a file that was just received,
  /// these are most of them. The call blocks the calling thread.
  static func digests(
    _ algorithms: [DigestAlgorithm], _ file: any StoredBytes, _ size: Int64, after transfer: Transfer? = nil,
    _ isCancelled: () -> Bool
  ) throws(Failure) -> [DigestValue]? {
    do {
      guard let transfer else {
        return try FileDigest.compute(algorithms, of: file, size: size, isCancelled: isCancelled)
      }
      return try transfer.digests(algorithms, of: file, size: size, isCancelled: isCancelled)
    } catch is CancellationError {
      return nil
    } catch {
      throw error as? Failure ?? Failure(.other, file.path, "\(error)")
    }
  }
}

extension FileHashing {
  /// The number of bytes to compare at once.
  private static let step = 1 << 20

  /// Whether the first `size` bytes of two files are equal. The call blocks the calling thread.
  static func areEqual(
    _ one: any StoredBytes, _ other: any StoredBytes, size: Int64
  ) throws(Failure) -> Bool {
    let (left, right) = (
      UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 16),
      UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 16)
    )
    defer {
      left.deallocate()
      right.deallocate()
    }
    guard let here = left.baseAddress, let there = right.baseAddress else { return false }
    var position: Int64 = 0
    while position < size {
      let count = Int(min(Int64(step), size - position))
      guard try one.read(into: UnsafeMutableRawBufferPointer(rebasing: left[..<count]), at: position) == count,
        try other.read(into: UnsafeMutableRawBufferPointer(rebasing: right[..<count]), at: position) == count,
        System.areEqual(here, there, count)
      else { return false }
      position += Int64(count)
    }
    return true
  }

  /// Compares a published target with the digest and the length that its job now requires (P12). If cancelled, returns
  /// without an error. The call blocks the calling thread.
  /// - Throws: Kind `integrity` if the file does not match.
  static func prove(
    _ options: JobOptions, _ name: String, in destination: any Destination, size: Int64, _ isCancelled: () -> Bool
  ) throws(Failure) {
    let path = PathText.join(destination.path, name)
    func refuted(_ what: String) -> Failure {
      Failure(
        .integrity, path, "it is complete, but \(what)",
        advice: "remove the file to fetch it again")
    }
    if let expected = options.expectedSize, expected != size {
      throw refuted("it has \(size) bytes, expected \(expected)")
    }
    guard let digest = options.digest else { return }
    guard let file = try? destination.openTarget(name) else {
      throw Failure(.file, path, "it cannot be read to check its digest", advice: "check its permissions")
    }
    guard let found = try FileHashing.digest(digest.algorithm, file, size, isCancelled) else { return }
    guard found == digest else {
      throw refuted("its digest is \(found.hex), expected \(digest.hex)")
    }
  }
}

extension JobOptions {
  /// Whether a file with the proved digest `proved` needs no further check.
  func areProved(by proved: DigestValue?, size: Int64?) -> Bool {
    (digest == nil || digest == proved) && (expectedSize == nil || expectedSize == size)
  }
}

extension DigestCheck {
  /// Returns the proved digest, and a note for people.
  /// - Parameter control: The address of the control file of the job's seeds.
  /// - Throws: Kind `integrity` for a file that does not match.
  static func outcome(
    _ verdict: Verdict, _ subject: String, control: String? = nil
  ) throws(Failure) -> (digest: SourcedDigest?, doubt: String?) {
    switch verdict {
    case .unknown(let doubt): return (nil, doubt)
    case .proved(let digest, let doubt): return (digest, doubt)
    case .refuted(let expected, let found) where [.given, .lock].contains(expected.source):
      throw Failure(
        .integrity, subject, "the digest is \(found), expected \(expected.digest.hex)",
        advice: ExpectedFile.advice("digest", isLocked: expected.source == .lock))
    case .refuted(let expected, let found) where expected.source == .zsync && control != nil:
      throw Failure(
        .integrity, subject,
        "the digest is \(found), and by the control file \(control ?? "") it is \(expected.digest.hex)",
        advice: "the control file may be of another version: \(.retry) fetches the file without it")
    case .refuted(let expected, let found):
      throw Failure(
        .integrity, subject,
        "the digest is \(found), and by \(TextSafety.escaped(expected.source.rawValue)) it is \(expected.digest.hex)",
        advice: "\(.retry) fetches it again")
    }
  }
}
