// Computes several digests of one stream of bytes.

internal import Crypto
internal import DrayCore

/// Consumes bytes and returns their digests at the end.
struct RunningDigest {
  private var functions: [any RunningFunction]

  /// - Parameter size: The number of bytes that will come; needed only if an algorithm begins with it
  ///   (``DigestAlgorithm/beginsWithLength``).
  init(_ algorithms: [DigestAlgorithm], size: Int64? = nil) {
    functions = algorithms.map { RunningDigest.function($0, size: size) }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    for index in functions.indices { functions[index].update(bytes) }
  }

  /// The digests, in the order of the algorithms.
  var values: [DigestValue] { functions.map(\.value) }

  private static func function(_ algorithm: DigestAlgorithm, size: Int64?) -> any RunningFunction {
    switch algorithm {
    case .md5: Hash<Insecure.MD5>(algorithm)
    case .sha1: Hash<Insecure.SHA1>(algorithm)
    case .gitSHA1: Hash<Insecure.SHA1>(algorithm, after: gitHeader(size))
    case .sha256: Hash<SHA256>(algorithm)
    case .sha384: Hash<SHA384>(algorithm)
    case .sha512: Hash<SHA512>(algorithm)
    case .crc32c: Castagnoli()
    case .crc32, .crc64nvme: Checksum(algorithm)
    }
  }

  private static func gitHeader(_ size: Int64?) -> [UInt8] {
    guard let size else { preconditionFailure("a digest that begins with the length needs it first") }
    return Array("blob \(size)\0".utf8)
  }
}

private protocol RunningFunction {
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  var value: DigestValue { get }
}

private struct Hash<Function: HashFunction>: RunningFunction {
  let algorithm: DigestAlgorithm
  var function = Function()

  /// - Parameter beginning: Bytes that are hashed before those of the file.
  init(_ algorithm: DigestAlgorithm, after beginning: [UInt8] = []) {
    self.algorithm = algorithm
    beginning.withUnsafeBytes { function.update(bufferPointer: $0) }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) { function.update(bufferPointer: bytes) }

  var value: DigestValue { DigestValue(algorithm, bytes: Array(function.finalize())) }
}

private struct Checksum: RunningFunction {
  let algorithm: DigestAlgorithm
  var checksum: CyclicChecksum

  init(_ algorithm: DigestAlgorithm) {
    guard let checksum = CyclicChecksum(algorithm) else { preconditionFailure("\(algorithm) is not a checksum") }
    (self.algorithm, self.checksum) = (algorithm, checksum)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) { checksum.update(bytes) }

  var value: DigestValue { DigestValue(algorithm, bytes: checksum.bytes) }
}

private struct Castagnoli: RunningFunction {
  var checksum = CRC32C()

  mutating func update(_ bytes: UnsafeRawBufferPointer) { checksum.update(bytes) }

  var value: DigestValue { DigestValue(.crc32c, bytes: checksum.bytes) }
}
