// MD4 by the test suite of RFC 1320 §A.5, and at the borders of its chunks.

import DrayCore
import Testing

@Suite struct MD4Tests {
  private func hex(_ text: [UInt8]) -> String {
    text.withUnsafeBytes { MD4.of($0) }.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  @Test(
    "the test suite of RFC 1320",
    arguments: [
      ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
      ("abc", "a448017aaf21d8525fc10ae87aa6729d"), ("message digest", "d9130a8164549fe818874806e1c7014b"),
      ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
      (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "043f8582f241db351ce627e153e7f0e4"
      ),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "e33b4ddc9c38f2199c3e7b164fcc0536"
      ),
    ])
  func vectors(_ text: String, _ digest: String) { #expect(hex(Array(text.utf8)) == digest) }

  @Test("any length has its own checksum", arguments: [55, 56, 57, 63, 64, 65, 119, 120, 128, 2048])
  func borders(_ count: Int) {
    let bytes = [UInt8](repeating: 7, count: count)
    #expect(hex(bytes) == hex(bytes) && hex(bytes) != hex(bytes + [7]) && hex(bytes).count == 32)
  }
}
