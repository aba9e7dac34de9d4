/// The checksums that S3 keeps of uploads.
public enum S3Checksum {
  /// The checksums to ask for, in the order of preference.
  public static let preferred: [DigestAlgorithm] = [.crc64nvme, .crc32c]

  /// Returns the name of a checksum in the protocol.
  public static func name(_ algorithm: DigestAlgorithm) -> String? {
    switch algorithm {
    case .crc64nvme: "CRC64NVME"
    case .crc32c: "CRC32C"
    default: nil
    }
  }

  /// Returns the header field of a checksum.
  public static func field(_ algorithm: DigestAlgorithm) -> String? {
    name(algorithm).map { "x-amz-checksum-\($0.lowercased())" }
  }

  /// Whether the server keeps one checksum of the whole object, instead of a checksum of the parts' checksums.
  public static func isOfWhole(_ algorithm: DigestAlgorithm) -> Bool { algorithm == .crc64nvme }
}
