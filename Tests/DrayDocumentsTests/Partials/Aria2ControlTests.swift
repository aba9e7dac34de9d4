// The control files of aria2: one that aria2 wrote, and every kind of defect.

import DrayCore
import DrayDocuments
import Testing

@Suite struct Aria2ControlTests {
  /// The bytes of a control file, with a test's changes.
  struct Sample: Sendable {
    var version: UInt64 = 1
    var hash: [UInt8] = []
    var hashLength: UInt64?
    var piece: UInt64 = 1 << 20
    /// Three pieces, the last of 1000 bytes.
    var size: UInt64 = 2 << 20 + 1000
    var bits: [UInt8] = [0b1010_0000]
    var bitLength: UInt64?
    /// Index, length, bits.
    var flying: [(UInt64, UInt64, [UInt8])] = []
    var flyingCount: UInt64?
    var more: [UInt8] = []
    var cut = 0
    var isLittleEndian = false

    var bytes: [UInt8] {
      func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        let big = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
        return isLittleEndian ? big.reversed() : big
      }
      var all = number(version, 2) + number(0, 4) + number(hashLength ?? UInt64(hash.count), 4) + hash
      all += number(piece, 4) + number(size, 8) + number(0, 8)
      all += number(bitLength ?? UInt64(bits.count), 4) + bits + number(flyingCount ?? UInt64(flying.count), 4)
      for (index, length, bits) in flying {
        all += number(index, 4) + number(length, 4) + number(UInt64(bits.count), 4) + bits
      }
      return Array((all + more).dropLast(cut))
    }

    init(_ change: (inout Sample) -> Void = { _ in }) { change(&self) }
  }

  private static let blocks = [UInt8](repeating: 0, count: 7)

  @Test(
    arguments: [
      (Sample(), "0-1048576,2097152-2098152"), (Sample { $0.bits = [0] }, ""),
      (Sample { $0.bits = [0b1110_0000] }, "0-2098152"),
      (Sample { ($0.version, $0.isLittleEndian) = (0, true) }, "0-1048576,2097152-2098152"),
      (Sample { $0.hash = [UInt8](repeating: 7, count: 20) }, "0-1048576,2097152-2098152"),
      (Sample { ($0.size, $0.bits) = (0, []) }, ""), (Sample { ($0.size, $0.piece, $0.bits) = (0, 0, []) }, ""),
      // Pieces that are being fetched, in blocks of 16 KiB; the order is aria2's.
      (Sample { $0.flying = [(1, 1 << 20, [0b1100_0000] + Self.blocks)] }, "0-1081344,2097152-2098152"),
      (Sample { $0.flying = [(1, 1 << 20, [0b0100_0000] + Self.blocks)] }, "0-1048576,1064960-1081344,2097152-2098152"),
      (
        Sample {
          ($0.bits, $0.flying) = ([0], [(2, 1000, [0b1000_0000]), (0, 1 << 20, [0b1000_0000] + Self.blocks)])
        }, "0-16384,2097152-2098152"
      ),
      // A complete file, too.
      (Sample { $0.flying = [(0, 1 << 20, [0b0100_0000] + Self.blocks)] }, "0-1048576,2097152-2098152"),
    ] as [(Sample, String)])
  func whatIsDone(sample: Sample, expected: String) throws {
    let control = try Aria2Control.parse(sample.bytes)
    #expect(control.done.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",") == expected)
    #expect(control.size == Int64(sample.size))
  }

  @Test(
    arguments: [
      (Sample { $0.version = 2 }, "version is 2"), (Sample { $0.hashLength = 3 }, "info hash has 3"),
      (Sample { $0.hashLength = 20 }, ""), (Sample { $0.piece = 0 }, "pieces have no length"),
      (Sample { $0.size = .max }, "beyond all bounds"),
      (Sample { ($0.size, $0.piece) = (UInt64(Int64.max), 1) }, "pieces"),
      (Sample { $0.bits = [0, 0] }, "has 2 bytes for 3 bits"), (Sample { $0.bits = [] }, "has 0 bytes for 3 bits"),
      (Sample { $0.bits = [0b1011_0000] }, "bits past its end"),
      (Sample { $0.bitLength = 1 << 31 }, "bytes for 3 bits"),
      (Sample { $0.flying = [(3, 1000, [0x80])] }, "piece 3 of 3"),
      (Sample { $0.flying = [(2, 1001, [0x80])] }, "another length"),
      (Sample { $0.flying = [(2, 1000, [0x80, 0])] }, "bit field of piece 2"),
      (Sample { $0.flyingCount = 1 }, "ends early"), (Sample { $0.flyingCount = 0xFFFF_FFFF }, "ends early"),
      (Sample { $0.more = [0] }, "past its end"), (Sample { $0.cut = 1 }, "ends early"),
      (Sample { $0.cut = 100 }, "ends early"),
    ] as [(Sample, String)])
  func whatIsNoControlFile(sample: Sample, says: String) {
    #expect {
      try Aria2Control.parse(sample.bytes)
    } throws: { error in
      let error = error as? DocumentError
      return error?.kind == "a control file of aria2" && error?.reason.contains(says) ?? false
    }
  }

  @Test func everyBeginningOfOneIsRefused() {
    let bytes = Sample { $0.flying = [(1, 1 << 20, [0b1100_0000] + Self.blocks)] }.bytes
    for count in 0..<bytes.count {
      #expect(throws: DocumentError.self) { try Aria2Control.parse(Array(bytes.prefix(count))) }
    }
  }
}
