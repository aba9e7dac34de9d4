// The promises of every destination, checked for the local disk and the destination in memory.

import DrayCore
import MemoryDestination
import Testing

@testable import DrayEngine

@Suite struct DestinationTests {
  enum Kind: CaseIterable { case disk, memory }

  private let temporary: TemporaryDirectory
  private let memory = MemoryDestinations()
  private let place: DirectoryPlace

  init() throws {
    temporary = try TemporaryDirectory()
    place = DirectoryPlace(temporary["files"])
  }

  private func all(_ kind: Kind) -> any Destinations { kind == .disk ? LocalDestinations(store: nil) : memory }

  private func open(_ kind: Kind) throws -> any Destination { try all(kind).open(place, create: true) }

  private func part(_ text: String, in destination: any Destination) throws -> any PartStorage {
    let part = try destination.createPart("part")
    _ = try withBytes(text.utf8) { try part.write($0, at: 0, stayingInMemory: true) }
    return part
  }

  /// Creates a target, as a run does.
  private func publish(_ text: String, in destination: any Destination) async throws -> FileIdentity {
    let part = try part(text, in: destination)
    let identity = try part.finish(size: Int64(text.utf8.count), modified: nil, destinationIsInPlace: nil)
    try part.sync()
    #expect(try await destination.publish(part, as: "target", .anything) == .done(notes: []))
    try destination.syncNames()
    return identity
  }

  private func text(_ name: String, in destination: any Destination) throws -> String? {
    try destination.openTarget(name).map { String(decoding: try $0.bytes(100), as: UTF8.self) }
  }

  @Test(arguments: Kind.allCases) func itIsThereOnceItWasOpened(_ kind: Kind) throws {
    let all = all(kind)
    #expect(try all.find(place) == nil)
    #expect(try all.check(place) == nil)
    let destination = try open(kind)
    #expect(destination.place == place && destination.isInPlace)
    #expect(try all.find(place) != nil)
    #expect(try all.check(place) != nil)
  }

  @Test("P1 a part becomes the target, and is the same file", arguments: Kind.allCases)
  func publish(_ kind: Kind) async throws {
    let destination = try open(kind)
    let identity = try await publish("0123456789", in: destination)
    #expect(try destination.identity(of: "target")?.isUnchanged(since: identity) ?? false)
    #expect(try text("target", in: destination) == "0123456789")
    #expect(try destination.occupant(of: "target") == .file)
    #expect(try !destination.exists("part"))
    #expect(try destination.openPart("part") == nil)
  }

  @Test("P1 nothing is replaced unless requested", arguments: Kind.allCases)
  func replace(_ kind: Kind) async throws {
    let destination = try open(kind)
    let old = try await publish("old", in: destination)
    let part = try part("new", in: destination)
    _ = try part.finish(size: 3, modified: nil, destinationIsInPlace: true)
    #expect(try await destination.publish(part, as: "target", .nothing) == .taken)
    #expect(try await destination.publish(part, as: "target", .files { _ in false }) == .taken)
    #expect(try await destination.publish(part, as: "free", .files { _ in true }) == .taken)
    #expect(try text("target", in: destination) == "old")
    #expect(try destination.exists("part"))
    let outcome = try await destination.publish(part, as: "target", .files { $0.isUnchanged(since: old) })
    #expect(outcome == .done(notes: []))
    #expect(try text("target", in: destination) == "new")
    #expect(try !destination.exists("part"))
  }

  @Test("P5 parts are opened again, replaced and discarded", arguments: Kind.allCases)
  func parts(_ kind: Kind) throws {
    let destination = try open(kind)
    _ = try part("0123456789", in: destination)
    let again = try #require(try destination.openPart("part"))
    #expect(try again.bytes(100, at: 4) == Array("456789".utf8))
    try again.truncate(to: 4)
    #expect(try again.identity().size == 4)
    _ = try destination.createPart("part")
    #expect(try destination.openPart("part")?.identity().size == 0)
    try destination.discardPart("part")
    try destination.discardPart("part")
    #expect(try destination.openPart("part") == nil)
    _ = try part("left", in: destination)
    #expect(all(kind).discardParts(["part", "none"], at: place).isEmpty)
    #expect(try !destination.exists("part"))
  }

  @Test("P4 only written bytes may be recorded", arguments: Kind.allCases)
  func durableBytes(_ kind: Kind) throws {
    let destination = try open(kind)
    let part = try part("0123456789", in: destination)
    let durable = try part.makeDurable(SegmentSet(2..<8))
    #expect(durable.intersection(SegmentSet(2..<8)) == durable)
  }

  @Test("P12 an incomplete file is not published", arguments: Kind.allCases)
  func tooShort(_ kind: Kind) throws {
    let destination = try open(kind)
    let short = try part("0123456789", in: destination)
    #expect(throws: Failure.self) { try short.finish(size: 11, modified: nil, destinationIsInPlace: true) }
    // A file that is too long is cut.
    #expect(try short.finish(size: 4, modified: 1_000_000_000, destinationIsInPlace: true).size == 4)
    #expect(try short.identity().modified == 1_000_000_000 * 1_000_000_000)
    try destination.discardPart("part")
    #expect(throws: Failure.self) { try short.finish(size: 4, modified: nil, destinationIsInPlace: true) }
  }

  @Test("P1 an interrupted publish is settled: the target stays", arguments: Kind.allCases)
  func settle(_ kind: Kind) async throws {
    let destination = try open(kind)
    let identity = try await publish("0123456789", in: destination)
    #expect(try destination.settle("part", as: "target", identity, .nothing))
    #expect(try text("target", in: destination) == "0123456789")
  }

  @Test("a copy has the bytes of its source", arguments: Kind.allCases, Kind.allCases)
  func copy(_ from: Kind, _ to: Kind) async throws {
    let (source, target) = (try open(from), try open(to))
    _ = try await publish("0123456789", in: source)
    let part = try target.createPart("copy")
    let file = try #require(try source.openTarget("target"))
    #expect(try part.take(SegmentSet(2..<6), from: file) { false })
    #expect(try part.bytes(4, at: 2) == Array("2345".utf8))
    #expect(try part.sums(of: SegmentSet(2..<6), knowing: [], isCancelled: { false })?.covered == SegmentSet(2..<6))
  }
}
