// The frames between a browser and dray.

import Testing

@testable import DrayDocuments

@Suite("Frames of native messaging")
struct MessageFramesTests {
  private static func frame(_ text: String) -> [UInt8] { MessageFrames.frame(Array(text.utf8)) ?? [] }

  private static func texts(_ frames: inout MessageFrames) throws -> [String] {
    var texts: [String] = []
    while let message = try frames.next() { texts.append(String(decoding: message, as: UTF8.self)) }
    return texts
  }

  @Test("messages arrive in pieces of any size", arguments: [1, 2, 3, 4, 5, 7, 1000])
  func pieces(size: Int) throws {
    let bytes = Self.frame("{}") + Self.frame("") + Self.frame("ä long one") + Self.frame("x").dropLast()
    var frames = MessageFrames()
    var texts: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      frames.append(bytes[start..<min(start + size, bytes.count)])
      texts += try Self.texts(&frames)
    }
    #expect(texts == ["{}", "", "ä long one"])
    #expect(frames.isCut)
    frames.append("x".utf8)
    #expect(try Self.texts(&frames) == ["x"])
    #expect(!frames.isCut)
  }

  @Test("the length has the order of this machine")
  func order() {
    let length: [UInt8] = 1.littleEndian == 1 ? [3, 0, 0, 0] : [0, 0, 0, 3]
    #expect(Self.frame("abc") == length + Array("abc".utf8))
  }

  @Test("a frame that is too long is refused by its length, before its bytes arrive")
  func tooLong() throws {
    for length in [MessageFrames.longest + 1, Int(UInt32.max)] {
      var frames = MessageFrames()
      frames.append(Self.frame("{}") + withUnsafeBytes(of: UInt32(length)) { Array($0) })
      #expect(try frames.next() != nil)
      #expect(throws: MessageFrames.TooLong(length: length)) { try frames.next() }
    }
    #expect(MessageFrames.frame([UInt8](repeating: 0, count: MessageFrames.longest)) != nil)
    #expect(MessageFrames.frame([UInt8](repeating: 0, count: MessageFrames.longest + 1)) == nil)
  }
}
