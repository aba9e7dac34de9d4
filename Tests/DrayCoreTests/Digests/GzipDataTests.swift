// Compressed documents: whole, damaged, too large.

import DrayCore
import Testing

@Suite struct GzipDataTests {
  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.map { UInt8($0 > 0x39 ? $0 - 0x57 : $0 - 0x30) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static let fixed = bytes("1f8b08000000000002ffcb48cdc9c957c84090008088f9e511000000")
  private static let stored = bytes("1f8b08000000000000ff010500faff68656c6c6f86a6103605000000")
  private static let named = bytes("1f8b08080000000002ff666565642e786d6c00cb48cdc9c9070086a6103605000000")
  private static let squares = (0..<150).map { "\($0 * $0)" }.joined(separator: " ")
  private static let own = bytes(
    """
    1f8b08000000000002ff2592c901033108035b7109e6588efe1bcbc8f9c4642d6010bec74e9e3d56c7bf1375724fe5193b76\
    ef31e7cce416c52241e31fe7ec094ff464a3cbe49c3c9feff9ba4ea12bcee67ff37db85f745baa4ba25d2a9851ca54d39ce2\
    16ea926af7a96f09a044d210d9a41820f42b0a13b1df3d1e378fe735c8c8f052d4fa36ba5d74a18ca0bea0210fea455239d4\
    239a6e31f48d85202f2c29aa0cf83221cd82395bd36a8cef32cf671a38343137e7d3cc5f2b5abed5e5962cc34d32ea23b79a\
    2a35d4ebfbc91c329a9ea73ffa7643d00bcbc8fa71f826b58b827906fad51c2888a0c44da6dcb96f5732ebfa8bf3cae04281\
    cd88cd9467e6a138e5a3952cb591bbfedf74c873ff64bfb736e1fb96f2f613f9bd05696bb15a605abdb7a15c2815cf6875e4\
    f11b1861cf13fb4671bdef15d2d4d397acb47e753a55b35ffd5ef59ad797a52b7e3c7bc5b68f73dfe358f13333b3f8d55c7e\
    5b0fc4fe2f24f4444c3eb892792e687f0075ca58f1020000
    """)

  private static func text(_ bytes: [UInt8], limit: Int = 1 << 20) throws(GzipError) -> String {
    String(decoding: try GzipData.unpacked(bytes, limit: limit), as: UTF8.self)
  }

  @Test func allBlocks() throws {
    #expect(try Self.text(Self.fixed) == "hello hello hello")
    #expect(try Self.text(Self.stored) == "hello")
    #expect(try Self.text(Self.named) == "hello")
    #expect(try Self.text(Self.own) == Self.squares)
    #expect(try Self.text(Self.stored + Self.fixed) == "hellohello hello hello")
    #expect(try Self.text(Self.fixed + [0, 0, 0]) == "hello hello hello")
  }

  @Test func whatIsCutOffOrDamagedIsRefused() {
    for whole in [Self.fixed, Self.stored, Self.named, Self.own] {
      for length in 0..<whole.count {
        #expect(throws: GzipError.malformed, "\(length) of \(whole.count)") {
          try Self.text(Array(whole[..<length]))
        }
      }
    }
    // The checksum detects any damaged byte.
    for index in 10..<Self.own.count {
      var damaged = Self.own
      damaged[index] ^= 0x10
      #expect(throws: GzipError.self, "byte \(index)") { try Self.text(damaged) }
    }
  }

  @Test func noMoreComesOutThanTheLimit() throws {
    #expect(try Self.text(Self.own, limit: Self.squares.utf8.count) == Self.squares)
    for limit in [0, 1, Self.squares.utf8.count - 1] {
      #expect(throws: GzipError.tooLong) { try Self.text(Self.own, limit: limit) }
    }
    #expect(throws: GzipError.tooLong) { try Self.text(Self.stored, limit: 4) }
  }
}
