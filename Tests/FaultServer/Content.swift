// The bytes of a resource: made from a seed and a position, so that 10 GiB need no memory and any test
// can tell which version of which file a byte comes from.

import Foundation

extension FaultServer {
  /// The bytes of one version of a file, readable by range without holding the whole.
  public struct Content: Sendable, Equatable {
    private enum Source: Sendable, Equatable {
      case generated(seed: UInt64)
      case fixed([UInt8])
    }

    private let source: Source

    /// The number of bytes.
    public let size: Int64

    /// Bytes that depend on `seed` and position alone; two seeds differ in every page of 4 KiB.
    public static func generated(seed: UInt64, size: Int64) -> Content {
      Content(source: .generated(seed: seed), size: size)
    }

    /// The given bytes, held in memory.
    public static func fixed(_ bytes: some Sequence<UInt8>) -> Content {
      let bytes = Array(bytes)
      return Content(source: .fixed(bytes), size: Int64(bytes.count))
    }

    /// The bytes of `range`, clamped to the content.
    public func bytes(in range: Range<Int64>) -> [UInt8] {
      let range = range.clamped(to: 0..<size)
      switch source {
      case .fixed(let bytes):
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
      case .generated(let seed):
        return Self.generate(seed: seed, range: range)
      }
    }

    /// All the bytes; for small contents.
    public var allBytes: [UInt8] { bytes(in: 0..<size) }

    private static let page: Int64 = 4096

    // Copying pages out of one pool runs at the speed of memory even in a debug build; computing every
    // byte would make the tests slower than the program.
    private static let pool: [UInt8] = {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(1 << 20)
      for index in 0..<UInt64(1 << 17) {
        withUnsafeBytes(of: mixed(index)) { bytes.append(contentsOf: $0) }
      }
      return bytes
    }()

    private static func generate(seed: UInt64, range: Range<Int64>) -> [UInt8] {
      var result: [UInt8] = []
      result.reserveCapacity(range.count)
      var position = range.lowerBound
      while position < range.upperBound {
        let index = position / page
        let end = min((index + 1) * page, range.upperBound)
        let key = mixed(mixed(seed) ^ UInt64(index))
        let start = Int(key % UInt64(pool.count - Int(page))) + Int(position % page)
        result.append(contentsOf: pool[start..<start + Int(end - position)])
        position = end
      }
      return result
    }

    /// The finalizer of SplitMix64: adjacent inputs give unrelated outputs.
    private static func mixed(_ value: UInt64) -> UInt64 {
      var z = value &+ 0x9E37_79B9_7F4A_7C15
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}

extension FaultServer.Content {
  private static let block: Int64 = 1 << 20

  /// The difference between the file at `path` and this content, for people to read; `nil` if they are equal, byte for
  /// byte. Reads in blocks, so that any size works.
  public func difference(fromFileAt path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return "\(path) cannot be read" }
    defer { try? file.close() }
    var position: Int64 = 0
    while true {
      let found = (try? file.read(upToCount: Int(Self.block))).flatMap { $0.map(Array.init) } ?? []
      let expected = bytes(in: position..<max(position, min(position + Int64(max(found.count, 1)), size)))
      if found.isEmpty {
        return position == size ? nil : "ends at \(position) of \(size) bytes"
      }
      if expected.count < found.count { return "goes on past its \(size) bytes" }
      // memcmp first: comparing element by element is slow in a debug build.
      if found.withUnsafeBytes({ lhs in expected.withUnsafeBytes { rhs in equal(lhs, rhs) } }) {
        position += Int64(found.count)
        continue
      }
      let offset = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
      return "differs first at byte \(position + Int64(offset)) of \(size)"
    }
  }

  private func equal(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Bool {
    guard lhs.count == rhs.count, let left = lhs.baseAddress, let right = rhs.baseAddress else {
      return lhs.count == rhs.count
    }
    return memcmp(left, right, lhs.count) == 0
  }

  /// Writes the content to a new file at `path`, in blocks.
  ///
  /// - Throws: The error of `FileHandle` if the file cannot be created or written.
  public func write(toFileAt path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var position: Int64 = 0
    while position < size {
      let block = bytes(in: position..<min(position + Self.block, size))
      try file.write(contentsOf: Data(block))
      position += Int64(block.count)
    }
  }
}
