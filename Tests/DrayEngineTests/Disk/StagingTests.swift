// Unfinished files in a separate directory: a complete file is moved beside its target, by a rename or by a copy.
// Nothing continues from the copy before it is durable (P1, P2, P5).

import DrayCore
import Foundation
import Testing

@testable import DrayEngine

@Suite struct StagingTests {
  /// The same file system as the target's, and another one where the machine has it there.
  private static let places = [NSTemporaryDirectory(), "/dev/shm"]
  private static let name = ".0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70.part"
  private static let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  private let target: TemporaryDirectory

  init() throws { target = try TemporaryDirectory() }

  private func destination(_ parts: TemporaryDirectory) throws -> LocalDestination {
    LocalDestination(try target.open(), parts: try parts.open(), store: nil)
  }

  private func part(_ destination: LocalDestination) throws -> LocalPart {
    let part = try #require(try destination.createPart(Self.name) as? LocalPart)
    try withBytes(Self.bytes) { _ = try part.write($0, at: 0, stayingInMemory: true) }
    return part
  }

  @Test("a complete file is brought, and then published", arguments: places)
  func stage(place: String) throws {
    let parts = try TemporaryDirectory(in: place)
    let destination = try destination(parts)
    let part = try part(destination)
    #expect(part.isAway)
    #expect(try parts.names == [Self.name])
    #expect(try target.names == [])
    let size = Int64(Self.bytes.count)
    let staged = try #require(try part.stage(size: size) { false })
    #expect(!staged.isAway)
    #expect(try parts.names == [])
    #expect(try target.names == [Self.name])
    #expect(try #require(target.status(Self.name)).st_mode & 0o7777 == 0o600)
    let identity = try Publication(part: staged, size: size).prepare()
    try staged.sync()
    let outcome = try destination.publish(staged, as: "f", .nothing)
    #expect(outcome == .done(notes: []))
    #expect(destination.identity(of: "f") == identity)
    #expect(target.bytes("f") == Self.bytes)
    #expect(try target.names == ["f"])
  }

  @Test("what is cancelled leaves the original, and nothing beside the target", arguments: places)
  func cancel(place: String) throws {
    let parts = try TemporaryDirectory(in: place)
    let destination = try destination(parts)
    let part = try part(destination)
    let staged = try part.stage(size: Int64(Self.bytes.count)) { true }
    // A rename takes no time, and is not cancelled.
    let homes = staged == nil ? (parts, target) : (target, parts)
    #expect(homes.0.bytes(Self.name) == Self.bytes)
    #expect(try homes.1.names == [])
  }

  @Test("after a crash the original counts, and another try replaces what is left of a copy", arguments: places)
  func crash(place: String) throws {
    let parts = try TemporaryDirectory(in: place)
    let destination = try destination(parts)
    var part: LocalPart? = try part(destination)
    try target.write("half".utf8, to: PartName.copy(of: Self.name))
    try target.write("older".utf8, to: Self.name)
    for name in [PartName.copy(of: Self.name), Self.name] { chmod(target[name], 0o600) }
    part = nil
    let found = try #require(try destination.openPart(Self.name))
    #expect(found.isAway)
    let staged = try #require(try found.stage(size: Int64(Self.bytes.count)) { false })
    #expect(target.bytes(Self.name) == Self.bytes)
    #expect(try parts.names == [])
    withExtendedLifetime((part, staged)) {}
  }

  @Test("a part that was brought is found there by a later run, and continued there", arguments: places)
  func found(place: String) throws {
    let parts = try TemporaryDirectory(in: place)
    let first = try destination(parts)
    var part: LocalPart? = try part(first)
    var staged = try part?.stage(size: Int64(Self.bytes.count)) { false }
    #expect(staged != nil)
    (part, staged) = (nil, nil)
    let again = try #require(try destination(parts).openPart(Self.name))
    #expect(!again.isAway)
    #expect(try again.bytes(4) == Array(Self.bytes.prefix(4)))
  }

  @Test("a discarded part is gone from both directories, with its copy", arguments: [false, true])
  func discard(manyAtOnce: Bool) throws {
    let parts = try TemporaryDirectory()
    for name in [Self.name, PartName.copy(of: Self.name)] {
      try target.write("x".utf8, to: name)
      try parts.write("x".utf8, to: name)
    }
    if manyAtOnce {
      let place = DirectoryPlace(target.path, parts: parts.path)
      let failures = LocalDestinations(store: nil).discardParts([Self.name], at: place)
      #expect(failures.isEmpty)
    } else {
      try destination(parts).discardPart(Self.name)
    }
    #expect(try target.names == [])
    #expect(try parts.names == [])
  }

  @Test("a page that came instead is kept beside the target, without being brought before", arguments: places)
  func aside(place: String) throws {
    let parts = try TemporaryDirectory(in: place)
    let destination = try destination(parts)
    let outcome = try destination.publish(try part(destination), as: "f.html-instead", .nothing)
    #expect(outcome == .done(notes: []))
    #expect(try target.names == ["f.html-instead"])
    #expect(try parts.names == [])
  }

  @Test("one directory by two paths is no other place")
  func same() throws {
    let destination = LocalDestination(try target.open(), parts: try target.open(), store: nil)
    let part = try part(destination)
    #expect(!part.isAway)
  }

  @Test("a place is opened with the directory of its unfinished files, which is created")
  func opened() throws {
    let place = DirectoryPlace(target["d"], parts: target["t/u"])
    let all = LocalDestinations(store: nil)
    #expect(try all.check(place) == nil)
    let opened = try all.open(place, create: true)
    #expect(opened.place == place)
    _ = try opened.createPart(Self.name)
    #expect(target.status("t/u/" + Self.name) != nil)
    #expect(try all.check(place)?.place == place)
    #expect(try all.find(place)?.place == place)
    try target.write("".utf8, to: "file")
    do throws(Failure) {
      _ = try all.open(DirectoryPlace(target["d"], parts: target["file"]), create: true)
      Issue.record("a file is no directory")
    } catch {
      #expect(error.advice?.description.contains("the directory for unfinished files") == true)
    }
  }

  @Test("the URL of a file is recorded where the file system can")
  func origin() throws {
    let file = try PartFile.create("part", in: try target.open())
    let note = file.storage.recordOrigin("http://h/f")
    #expect(note == nil || note?.contains("could not be recorded") == true)
  }
}
