// A file is read while it arrives, each byte once, also if bytes are given up and arrive again (P2).

import DrayCore
import Synchronization
import Testing

@testable import DrayEngine

/// A part in memory.
private final class Bytes: StoredBytes {
  let bytes = Mutex<[UInt8]>([])
  /// Called before each read.
  let before = Mutex<(@Sendable () -> Void)?>(nil)
  var path: String { "part" }

  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    before.withLock { $0.take() }?()
    return bytes.withLock { bytes in
      let piece = bytes.dropFirst(Int(position)).prefix(buffer.count)
      buffer.copyBytes(from: piece)
      return piece.count
    }
  }

  func identity() throws(Failure) -> FileIdentity { throw Failure(.other, path, "it has none", advice: "none") }
  func lock() -> Bool { true }
  func dataSegments(in range: Segment) -> [Segment] { [range] }
}

@Suite struct InOrderReaderTests {
  private static let held = Int(Joint.overlap)

  /// A reader, and what it has read.
  private final class Subject {
    let watch = InOrderProgress()
    var reader: InOrderReader
    var read: [UInt8] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(InOrderRule.block), alignment: 16)

    init() { reader = InOrderReader(watch) }
    deinit { buffer.deallocate() }

    /// Reads until there is nothing new, and returns how that was found out.
    func drain(_ whole: (file: any StoredBytes, size: Int64)? = nil) throws -> String {
      while true {
        switch try reader.next(into: buffer, whole: whole) {
        case .wait: return "wait"
        case .end: return "end"
        case .changed: return "changed"
        case .bytes(let count): read += buffer[..<count]
        }
      }
    }
  }

  private func content(_ count: Int, seed: Int = 1) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 * 31 + seed) >> 3) }
  }

  @Test func eachByteOnceAndTheLastOnesAtTheEnd() throws {
    let (subject, part, all) = (Subject(), Bytes(), content(900_000))
    #expect(try subject.drain() == "wait")
    part.bytes.withLock { $0 = all }
    subject.watch.begin(part, 0)
    #expect(try subject.drain() == "wait" && subject.read.isEmpty)
    subject.watch.advance(to: 500_000)
    #expect(try subject.drain() == "wait" && subject.read.count == 500_000 - Self.held)
    subject.watch.advance(to: 900_000)
    #expect(try subject.drain() == "wait" && subject.read.count == 900_000 - Self.held)
    #expect(try subject.drain((part, 900_000)) == "end" && subject.read == all)
  }

  @Test(arguments: [false, true])
  func whatArrivesAgainIsComparedAndNotReadTwice(changes: Bool) throws {
    let (subject, part, all) = (Subject(), Bytes(), content(900_000))
    part.bytes.withLock { $0 = all }
    subject.watch.begin(part, 600_000)
    #expect(try subject.drain() == "wait" && subject.read.count == 600_000 - Self.held)
    // A new attempt keeps nothing.
    subject.watch.pause(keeping: 0)
    #expect(try subject.drain() == "wait")
    let again = Bytes()
    again.bytes.withLock { $0 = changes ? content(900_000, seed: 99) : all }
    subject.watch.begin(again, 0)
    subject.watch.advance(to: 300_000)
    #expect(try subject.drain() == "wait")
    subject.watch.advance(to: 700_000)
    #expect(try subject.drain() == (changes ? "changed" : "wait"))
    guard !changes else { return }
    #expect(subject.read == all.dropLast(200_000 + Self.held))
    #expect(try subject.drain((again, 900_000)) == "end" && subject.read == all)
  }

  @Test func bytesThatAreGivenUpWhileTheyAreReadDoNotCount() throws {
    let (subject, part, all) = (Subject(), Bytes(), content(900_000))
    part.bytes.withLock { $0 = Array(repeating: 0, count: 900_000) }
    subject.watch.begin(part, 900_000)
    part.before.withLock { [watch = subject.watch] in $0 = { watch.lose(from: 0) } }
    #expect(try subject.drain() == "wait" && subject.read.isEmpty)
    part.bytes.withLock { $0 = all }
    #expect(try subject.drain((part, 900_000)) == "end" && subject.read == all)
  }

  @Test func aFileThatIsShorterThanWhatWasReadIsAnotherOne() throws {
    let (subject, part) = (Subject(), Bytes())
    part.bytes.withLock { $0 = content(200_000) }
    subject.watch.begin(part, 200_000)
    #expect(try subject.drain() == "wait")
    #expect(try subject.drain((part, 1000)) == "changed")
  }
}
