// Digest algorithms: their lengths, names and order of preference.

/// A digest algorithm.
public enum DigestAlgorithm: String, Sendable, Codable, CaseIterable {
  case md5
  case sha1 = "sha-1"
  case sha256 = "sha-256"
  case sha384 = "sha-384"
  case sha512 = "sha-512"
  /// The name that git gives to a file: the SHA-1 of `blob LENGTH`, a zero byte, and the file's bytes. It comes after
  /// SHA-1, so that a digest without a name, which shows its algorithm by its length, is never taken for it.
  case gitSHA1 = "git-sha1"
  /// The checksum of ISO 3309 and zlib.
  case crc32
  /// The Castagnoli checksum (RFC 3720 §12.1).
  case crc32c
  /// The checksum of the NVMe specification, which Amazon S3 offers.
  case crc64nvme

  /// The length of a digest in bytes.
  public var byteCount: Int {
    switch self {
    case .crc32, .crc32c: 4
    case .crc64nvme: 8
    case .md5: 16
    case .sha1, .gitSHA1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// Whether equal digests prove that files are equal, apart from attacks. A checksum of 32 or 64 bits detects damage,
  /// but does not prove that bytes belong together (P2).
  public var identifies: Bool { byteCount >= 16 }

  /// Whether the digest begins with the length of the file, so that the length must be known before the first byte.
  public var beginsWithLength: Bool { self == .gitSHA1 }

  /// The order of preference if several algorithms are offered: the strongest first; among equally strong ones, those
  /// with hardware support first. SHA-1 comes before git's form of it, which needs the length first.
  static let preferred: [DigestAlgorithm] = [
    .sha256, .sha512, .sha384, .sha1, .gitSHA1, .md5, .crc64nvme, .crc32c, .crc32,
  ]

  /// The hash functions, as opposed to checksums. In a list of digests, the length of a digest shows the hash function.
  public static let hashes: [DigestAlgorithm] = allCases.filter(\.identifies)

  /// The position in the order of preference; 0 is the best.
  public var rank: Int { DigestAlgorithm.preferred.firstIndex(of: self) ?? DigestAlgorithm.preferred.count }

  /// Creates the algorithm with this name, ignoring case and dashes. `sha` is SHA-1, as in the registry of RFC 9530.
  public init?(named name: String) {
    let folded = name.lowercased().filter { $0 != "-" && $0 != "_" }
    let known = DigestAlgorithm.allCases.first { $0.rawValue.filter { $0 != "-" } == folded }
    guard let match = folded == "sha" ? .sha1 : known else { return nil }
    self = match
  }
}
