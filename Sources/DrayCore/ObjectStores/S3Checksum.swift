/// The checksums that S3 stores for uploads.
package enum S3Checksum {
  /// The checksums to request, in the order of preference.
  package static let preferred: [DigestAlgorithm] = [.crc64nvme, .crc32c]

  /// Returns the name of a checksum algorithm in the protocol.
  package static func name(_ algorithm: DigestAlgorithm) -> String? {
    switch algorithm {
    case .crc64nvme: "CRC64NVME"
    case .crc32c: "CRC32C"
    default: nil
    }
  }

  /// Returns the name of a checksum's header field.
  package static func field(_ algorithm: DigestAlgorithm) -> String? {
    name(algorithm).map { "x-amz-checksum-\($0.lowercased())" }
  }

  /// Whether the server stores a checksum of the whole object, rather than a checksum of the parts' checksums.
  package static func isOfWhole(_ algorithm: DigestAlgorithm) -> Bool { algorithm == .crc64nvme }
}
