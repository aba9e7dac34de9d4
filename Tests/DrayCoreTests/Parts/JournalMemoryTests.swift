// A journal that a process left in the middle of a store says what it said before, or what it was about to say.

import Testing

@testable import DrayCore

@Suite struct JournalMemoryTests {
  private typealias Extent = BlockSums.Extent

  /// Zeroed memory and its journal.
  private final class Journal {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: JournalMemory.size, alignment: 4096)
    private var journal: JournalMemory

    init() {
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      journal = JournalMemory(memory)
    }

    deinit { memory.deallocate() }

    func begin(_ text: [UInt8], _ extents: [Extent]) -> Bool { journal.begin(text, extents) }
    func append(_ extent: Extent) -> Bool { journal.append(extent) }

    var bytes: [UInt8] { Array(memory) }
    var content: JournalMemory.Content? { JournalMemory.read(UnsafeRawBufferPointer(memory)) }
  }

  private static func extent(_ number: Int64) -> Extent {
    Extent(number * 100..<number * 100 + 100, CRC32C(UInt32(number) &* 0x9e37_79b9))
  }

  private static func sums(_ extents: [Extent]) -> BlockSums {
    var sums = BlockSums()
    for extent in extents { sums.insert(extent.segment, extent.sum) }
    return sums
  }

  private static let text = Array("the version".utf8)

  @Test func whatWasWrittenIsRead() {
    let it = Journal()
    #expect(it.content == nil)
    #expect(it.begin(Self.text, [Self.extent(1)]))
    #expect(it.append(Self.extent(2)) && it.append(Self.extent(5)))
    #expect(it.content == .init(text: Self.text, sums: Self.sums([1, 2, 5].map(Self.extent))))
    #expect(it.begin(Array("another".utf8), [Self.extent(7)]))
    #expect(it.content == .init(text: Array("another".utf8), sums: Self.sums([Self.extent(7)])))
    #expect(it.begin([], []))
    #expect(it.content == nil)
  }

  @Test func aHalfThatWasUsedBeforeHasNoOldRecords() {
    let it = Journal()
    #expect(it.begin(Self.text, (1...9).map(Self.extent)))
    #expect(it.begin(Self.text, []) && it.begin(Self.text, [Self.extent(3)]))
    #expect(it.content?.sums == Self.sums([Self.extent(3)]))
  }

  @Test func whenItIsFullItBeginsAgain() {
    let it = Journal()
    #expect(it.begin(Self.text, []))
    for number in 0..<JournalMemory.recordLimit { #expect(it.append(Self.extent(Int64(number)))) }
    #expect(!it.append(Self.extent(1)))
    #expect(it.content?.sums.covered == SegmentSet(0..<Int64(JournalMemory.recordLimit) * 100))
    #expect(it.begin(Self.text, [Self.extent(1)]) && it.append(Self.extent(2)))
    #expect(!it.begin(Self.text, Array(repeating: Self.extent(1), count: JournalMemory.recordLimit + 1)))
    #expect(!it.begin([UInt8](repeating: 1, count: JournalMemory.textLimit + 1), []))
    #expect(it.content?.sums == Self.sums([1, 2].map(Self.extent)), "what is too long changes nothing")
  }

  /// The steps whose memory is torn.
  enum Step: CaseIterable { case append, begin, beginAgain, clear }

  @Test("torn anywhere: what it said before, or after", arguments: Step.allCases)
  func torn(_ step: Step) {
    let it = Journal()
    #expect(it.begin(Self.text, [Self.extent(1)]) && it.append(Self.extent(2)))
    if step == .beginAgain {
      // Both halves have been used.
      #expect(it.begin(Self.text, [Self.extent(4), Self.extent(6)]) && it.append(Self.extent(8)))
    }
    let (before, old) = (it.bytes, it.content)
    switch step {
    case .append: #expect(it.append(Self.extent(3)))
    case .begin, .beginAgain: #expect(it.begin(Array("new".utf8), [Self.extent(9), Self.extent(7)]))
    case .clear: #expect(it.begin([], []))
    }
    let (after, new) = (it.bytes, it.content)
    #expect(old != new)
    let changed = before.indices.filter { before[$0] != after[$0] }
    // The stores may have reached the memory in either order.
    for order in [changed, changed.reversed()] {
      var torn = before
      for place in order {
        let found = torn.withUnsafeBytes { JournalMemory.read($0) }
        #expect(found == old || found == new, "\(step), up to byte \(place)")
        torn[place] = after[place]
      }
    }
  }

  @Test func otherBytesAreNoJournal() {
    let it = Journal()
    #expect(it.begin(Self.text, [Self.extent(1)]))
    let bytes = it.bytes
    for length in [0, 1, 4096, bytes.count - 1] {
      #expect(bytes[..<length].withUnsafeBytes { JournalMemory.read($0) } == nil)
    }
    #expect([UInt8](repeating: 0xff, count: JournalMemory.size).withUnsafeBytes { JournalMemory.read($0) } == nil)
  }
}
