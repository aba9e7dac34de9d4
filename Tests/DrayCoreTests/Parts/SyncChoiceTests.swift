// Whether a group of files is synced one by one or all at once.

import Testing

@testable import DrayCore

@Suite struct SyncChoiceTests {
  @Test(arguments: [(1, false), (3, false), (4, true), (500, true)])
  func aFewFilesAreSyncedOneByOne(files: Int, takesFileSystem: Bool) {
    var choice = SyncChoice()
    let taken = choice.takesFileSystem(files: files)
    #expect(taken == takesFileSystem)
  }

  @Test func aFileSystemThatOthersKeepBusyIsLeftAloneForAWhile() {
    var choice = SyncChoice()
    choice.note(fileSystem: 10)
    choice.note(files: 1, 0.003)
    let atOnce = choice.takesFileSystem(files: 100)
    #expect(!atOnce)
    // Nothing is learnt: the next automatic try comes after a delay.
    let groups = (1...100).first { _ in choice.takesFileSystem(files: 100) }
    #expect((5...50).contains(groups ?? 0))
  }

  @Test func moreFilesMakeItWorthWhile() {
    var choice = SyncChoice()
    choice.note(fileSystem: 0.1)  // counts half: 50 ms
    choice.note(files: 4, 0.012)  // 2 ms each
    let (few, many) = (choice.takesFileSystem(files: 10), choice.takesFileSystem(files: 100))
    #expect(!few && many)
  }

  @Test func whereAFileCostsNothingEachIsSynced() {
    var choice = SyncChoice()
    for _ in 0..<10 {
      choice.note(files: 2, 0.000_02)
      choice.note(fileSystem: 0.005)
    }
    let taken = choice.takesFileSystem(files: 100)
    #expect(!taken)
  }
}
