// From part file to target: the conditions before the rename, and the target after it (P1, P5).

import DrayCore
import FaultServer
import Foundation
import Synchronization
import Testing

@testable import DrayEngine

@Suite struct PublicationTests {
  private let temporary: TemporaryDirectory
  private let directory: TargetDirectory
  private let part: PartFile

  init() throws {
    temporary = try TemporaryDirectory()
    directory = try temporary.open()
    part = try PartFile.create("part", in: directory)
    try withBytes("0123456789".utf8) { try part.write($0, at: 0) }
  }

  /// Publishes the part as `target`.
  private func publish(_ replacement: Replacement) throws -> PublishOutcome {
    let storage = part.storage
    let destination = try #require(storage.destination as? any DirectDestination)
    return try destination.publish(storage, as: "target", replacement)
  }

  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test func allStepsGiveTheTarget() throws {
    let publication = Publication(part: part.storage, size: 10)
    let identity = try publication.prepare()
    try publication.part.sync()
    #expect(try #require(temporary.status("part")).st_mode & 0o7777 == 0o600)
    #expect(try publish(.nothing) == .done(notes: []))
    #expect(directory.identity(of: "target") == identity)
    #expect(temporary.bytes("target") == Array("0123456789".utf8))
    #expect(try temporary.names == ["target"])
    // No longer private: the umask decides the mode.
    let mode = try #require(temporary.status("target")).st_mode & 0o7777
    #expect(mode == 0o666 & ~Umask.current)
  }

  @Test func everyStepMayBeRepeated() throws {
    let publication = Publication(part: part.storage, size: 10)
    let first = try publication.prepare()
    let second = try publication.prepare()
    // The identities agree, except for the time of the last change.
    #expect((second.device, second.inode, second.size) == (first.device, first.inode, first.size))
    try publication.part.sync()
    try publication.part.sync()
    #expect(try publish(.nothing) == .done(notes: []))
    #expect(directory.identity(of: "target") == second)
  }

  /// With `--no-sync` publishing syncs nothing; a checkpoint may have reported an error.
  @Test("P12 bytes known to be lost are not published")
  func whatIsLostIsNotPublished() throws {
    try withoutDisk(part.descriptor) { #expect(systemError { try part.sync() } != nil) }
    let publication = Publication(part: part.storage, size: 10)
    #expect(failure { _ = try publication.prepare() }?.kind == .file)
    #expect(failure { try publication.part.sync() }?.kind == .file)
    #expect(failure { try publication.part.checkWriteBack() }?.kind == .file)
  }

  @Test func whatIsTooLongIsCut() throws {
    let identity = try Publication(part: part.storage, size: 4).prepare()
    #expect(identity.size == 4)
    #expect(temporary.bytes("part") == Array("0123".utf8))
  }

  @Test func whatIsTooShortIsNotPublished() throws {
    let found = try #require(failure { _ = try Publication(part: part.storage, size: 11).prepare() })
    #expect(found.kind == .integrity)
    #expect(found.description.contains("10 bytes of 11"))
    #expect(temporary.status("part").map { $0.st_mode & 0o777 } == 0o600)
  }

  @Test func aPartFileThatIsGoneIsNoticed() throws {
    try directory.remove("part")
    #expect(failure { _ = try Publication(part: part.storage, size: 10).prepare() }?.kind == .file)
    try temporary.write("other".utf8, to: "part")
    #expect(failure { _ = try Publication(part: part.storage, size: 10).prepare() }?.kind == .file)
    #expect(temporary.bytes("part") == Array("other".utf8))
  }

  @Test func aDirectoryThatIsGoneIsNoticed() throws {
    try FileManager.default.moveItem(atPath: temporary.path, toPath: temporary.path + ".moved")
    defer { try? FileManager.default.removeItem(atPath: temporary.path + ".moved") }
    #expect(failure { _ = try Publication(part: part.storage, size: 10).prepare() }?.kind == .file)
  }

  @Test func aNameThatIsTakenIsTold() throws {
    try temporary.write("old".utf8, to: "target")
    #expect(try publish(.nothing) == .taken)
    #expect(temporary.bytes("target") == Array("old".utf8))
    // It is a private part file again (P5).
    #expect(try #require(temporary.status("part")).st_mode & 0o7777 == 0o600)
    #expect(try publish(.anything) == .done(notes: []))
    #expect(temporary.bytes("target") == Array("0123456789".utf8))
  }

  /// POSIX has no call that exchanges names, so a file that appears between the check and the rename is lost.
  private static let replaced: [String] = {
    let always = ["the file", "another", "nothing"]
    #if DRAY_PORTABLE
    return always
    #else
    return always + ["at the last moment"]
    #endif
  }()

  /// A file that a program puts there at the last moment keeps its name.
  @Test(arguments: replaced)
  func onlyOneFileIsReplaced(_ what: String) throws {
    try temporary.write("old".utf8, to: "target")
    let seen = try #require(directory.identity(of: "target"))
    if what == "another" { try temporary.write("other".utf8, to: "target") }
    if what == "nothing" { try directory.remove("target") }
    let looks = Mutex(0)
    let outcome = try publish(
      .files { found in
        let count = looks.withLock { looks in
          looks += 1
          return looks
        }
        // The second check sees the exchanged file.
        if what == "at the last moment", count == 2 { return false }
        return found == seen
      })
    #expect((outcome == .done(notes: [])) == (what == "the file"))
    switch what {
    case "the file":
      #expect(temporary.bytes("target") == Array("0123456789".utf8))
      #expect(try temporary.names == ["target"])
    case "nothing": #expect(try temporary.names == ["part"])
    default:
      #expect(temporary.bytes("target") == Array((what == "another" ? "other" : "old").utf8))
      #expect(temporary.bytes("part") == Array("0123456789".utf8))
    }
  }

  @Test func aDirectoryIsNeverReplaced() throws {
    try FileManager.default.createDirectory(atPath: temporary["target"], withIntermediateDirectories: false)
    let found = failure { _ = try publish(.anything) }
    #expect(found?.kind == .file)
    #expect(temporary.bytes("part") == Array("0123456789".utf8))
  }
}
