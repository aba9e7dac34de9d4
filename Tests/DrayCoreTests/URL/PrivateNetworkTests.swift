// Which addresses are in the public internet.

import DrayCore
import Testing

@Suite struct PrivateNetworkTests {
  private static func v6(_ head: [UInt8], _ tail: [UInt8] = []) -> [UInt8] {
    head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  @Test(
    arguments: [
      [0, 0, 0, 0], [10, 1, 2, 3], [100, 64, 0, 1], [100, 127, 0, 1], [127, 0, 0, 1], [127, 9, 9, 9],
      [169, 254, 169, 254],
      [172, 16, 0, 1], [172, 31, 0, 1], [192, 0, 0, 1], [192, 168, 1, 1], [198, 18, 0, 1], [224, 0, 0, 1],
      [255, 255, 255, 255], v6([]), v6([], [1]), v6([0xFE, 0x80], [1]), v6([0xFC], [1]), v6([0xFD, 0x12], [1]),
      v6([0xFF, 0x02], [1]), v6([], [0xFF, 0xFF, 127, 0, 0, 1]), v6([0, 0x64, 0xFF, 0x9B], [10, 0, 0, 1]),
      v6([0x20, 0x02, 192, 168, 1, 1]), v6([0x20, 0x01, 0x0D, 0xB8]), [192, 88, 99, 1], v6([0x20, 0x01, 0, 2], [1]),
      v6([0x20, 0x01, 1, 0xFF]), v6([0x3F, 0xFF, 0x0F]), [], [1, 2, 3],
    ] as [[UInt8]])
  func privateOnes(address: [UInt8]) {
    #expect(PrivateNetwork.contains(address))
  }

  @Test(
    arguments: [
      [1, 1, 1, 1], [9, 255, 0, 1], [11, 0, 0, 1], [100, 63, 0, 1], [100, 128, 0, 1], [172, 15, 0, 1], [172, 32, 0, 1],
      [192, 88, 98, 1], [192, 88, 100, 1], v6([0x20, 0x01, 2, 1]), v6([0x3F, 0xFF, 0x10]), [192, 167, 1, 1],
      [198, 20, 0, 1], [223, 1, 1, 1], v6([0x20, 0x01, 0x48, 0x60], [1]), v6([0x2A, 0], [1]),
      v6([], [0xFF, 0xFF, 1, 1, 1, 1]), v6([0x20, 0x02, 1, 1, 1, 1]),
    ] as [[UInt8]])
  func publicOnes(address: [UInt8]) {
    #expect(!PrivateNetwork.contains(address))
  }
}
