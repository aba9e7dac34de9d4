public import DrayCore

extension FileDigest {
  /// Returns the digest of bytes in memory.
  public static func of(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> DigestValue {
    var digest = RunningDigest([algorithm])
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.values[0]
  }
}
