// A destination in memory: a second implementation, which shows that code above destinations needs no disk.

package import DrayCore
package import DrayEngine
import Foundation
import Synchronization

/// Destinations in memory, which live as long as this object.
package final class MemoryDestinations: Destinations {
  private let known = Mutex<[DirectoryPlace: MemoryDestination]>([:])
  private let unit: Int64

  /// - Parameter unit: The number of bytes of a unit. Before a part is finished, only whole units can be made durable, as
  ///   in a multipart upload.
  package init(unit: Int64 = 1) { self.unit = unit }

  /// Returns the destination at a path, and creates it first if it is missing.
  package subscript(path: String) -> MemoryDestination { make(DirectoryPlace(path)) }

  private func make(_ place: DirectoryPlace) -> MemoryDestination {
    known.withLock { known in
      if let destination = known[place] { return destination }
      let new = MemoryDestination(place, unit: unit, number: UInt64(known.count))
      known[place] = new
      return new
    }
  }

  package func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? { known.withLock { $0[place] } }

  package func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination { make(place) }

  package func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? { try find(place) }

  package func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure] {
    for name in names { known.withLock { $0[place] }?.discardPart(name) }
    return [:]
  }
}

/// One destination.
package final class MemoryDestination: DirectDestination {
  private struct State {
    var targets: [String: MemoryPart] = [:]
    var parts: [String: MemoryPart] = [:]
    var room: Int64?
    var made: UInt64 = 0
    var taken: (@Sendable (String) -> Bool)?
    var asked = 0
  }

  package let place: DirectoryPlace
  package let volume: Volume
  package var isInPlace: Bool { true }
  private let state = Mutex(State())
  private let unit: Int64

  init(_ place: DirectoryPlace, unit: Int64, number: UInt64) {
    (self.place, self.unit) = (place, unit)
    // No file system has a device number this high.
    volume = Volume(id: .max - number)
  }

  // MARK: For tests

  /// Makes it answer like a server that has every name for which `taken` is true.
  package func lie(_ taken: @escaping @Sendable (String) -> Bool) { state.withLock { $0.taken = taken } }

  /// The number of questions since the first lie.
  package var asked: Int { state.withLock { $0.asked } }

  package var traits: DestinationTraits { state.withLock { $0.taken == nil ? .ofDirectories : .ofObjects } }

  /// The names of the targets.
  package var targets: [String] { state.withLock { $0.targets.keys.sorted() } }

  /// The names of the parts.
  package var parts: [String] { state.withLock { $0.parts.keys.sorted() } }

  /// Returns the bytes of a target; `nil` if there is none.
  package func bytes(_ name: String) -> [UInt8]? { state.withLock { $0.targets[name] }?.bytes }

  /// Puts a file there, like another program.
  package func put(_ bytes: [UInt8], as name: String) {
    state.withLock { state in
      state.made += 1
      state.targets[name] = MemoryPart(name, self, unit: unit, number: state.made, bytes)
    }
  }

  /// Drops all bytes that are not durable, like a power cut.
  package func losePower() { for part in state.withLock({ $0.parts.values }) { part.losePower() } }

  // MARK: Targets

  /// The free space in bytes.
  package var room: Int64? {
    get {
      let (room, parts) = state.withLock { ($0.room, Array($0.parts.values) + Array($0.targets.values)) }
      return room.map { $0 - parts.reduce(0) { $0 + $1.allocated } }
    }
    set { state.withLock { $0.room = newValue } }
  }

  package func occupant(of name: String) -> Occupant? {
    state.withLock { state in
      if let taken = state.taken {
        state.asked += 1
        if taken(name) { return .file }
      }
      return (state.targets[name] ?? state.parts[name]).map { _ in .file }
    }
  }

  package func identity(of name: String) -> FileIdentity? {
    state.withLock { $0.targets[name] ?? $0.parts[name] }?.identity()
  }

  package func checkName(_ name: String) throws(Failure) {}

  package func openTarget(_ name: String) throws(Failure) -> (any StoredBytes)? { state.withLock { $0.targets[name] } }

  // MARK: Parts

  package func createPart(_ name: String) throws(Failure) -> any PartStorage {
    state.withLock { state in
      state.made += 1
      let part = MemoryPart(name, self, unit: unit, number: state.made, [])
      state.parts[name] = part
      return part
    }
  }

  package func openPart(_ name: String) throws(Failure) -> (any PartStorage)? { state.withLock { $0.parts[name] } }

  package func discardPart(_ name: String) { state.withLock { $0.parts[name] = nil } }

  fileprivate func has(_ part: MemoryPart) -> Bool { state.withLock { $0.parts[part.name] === part } }

  // MARK: Publishing

  package func publish(
    _ part: any PartStorage, as name: String, _ replacement: Replacement
  ) throws(Failure) -> PublishOutcome {
    guard let part = part as? MemoryPart, has(part) else { throw .moved(part.path) }
    return state.withLock { state in
      let taken = state.targets[name]
      let isAllowed =
        switch replacement {
        case .nothing: taken == nil
        case .anything: true
        case .files(let mayBe): taken.map { mayBe($0.identity()) } ?? false
        }
      guard isAllowed else { return .taken }
      state.parts[part.name] = nil
      state.targets[name] = part
      return .done(notes: [])
    }
  }

  package func settle(
    _ partName: String, as name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(Failure) -> Bool { true }

  package func syncNames() throws(Failure) {}

  package func syncVolume() throws(Failure) {}
}

/// A file in memory.
package final class MemoryPart: PartStorage {
  private struct State {
    var bytes: [UInt8]
    var durable = SegmentSet()
    var modified: Int64
  }

  package let name: String
  private let home: MemoryDestination
  private let unit: Int64
  private let number: UInt64
  private let state: Mutex<State>

  init(_ name: String, _ home: MemoryDestination, unit: Int64, number: UInt64, _ bytes: [UInt8]) {
    (self.name, self.home, self.unit, self.number) = (name, home, unit, number)
    state = Mutex(State(bytes: bytes, modified: Int64(Date().timeIntervalSince1970 * 1e9)))
  }

  package var destination: any Destination { home }
  package var path: String { PathText.join(home.path, name) }
  var bytes: [UInt8] { state.withLock { $0.bytes } }

  fileprivate func losePower() {
    state.withLock { state in
      state.bytes.removeLast(state.bytes.count - Int(min(state.durable.end, Int64(state.bytes.count))))
      for gap in state.durable.missing(from: Int64(state.bytes.count)).segments {
        for index in gap { state.bytes[Int(index)] = 0 }
      }
    }
  }

  // MARK: Bytes

  package func write(
    _ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool
  ) throws(Failure) -> Bool {
    let end = Int(position) + bytes.count
    if let room = home.room, Int64(end) - allocated > room {
      throw Failure(.file, path, "no room is left", advice: "make room, then \(.run) continues", recovery: .wait)
    }
    state.withLock { state in
      if state.bytes.count < end { state.bytes += Array(repeating: 0, count: end - state.bytes.count) }
      state.bytes.replaceSubrange(Int(position)..<end, with: bytes)
      state.durable.remove(position..<Int64(end))
    }
    return true
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    state.withLock { state in
      let count = max(0, min(buffer.count, state.bytes.count - Int(position)))
      if count > 0 { buffer.copyBytes(from: state.bytes[Int(position)..<Int(position) + count]) }
      return count
    }
  }

  package func truncate(to length: Int64) throws(Failure) {
    state.withLock { state in
      let count = Int(length)
      if count < state.bytes.count { state.bytes.removeLast(state.bytes.count - count) }
      if count > state.bytes.count { state.bytes += Array(repeating: 0, count: count - state.bytes.count) }
      state.durable = state.durable.clamped(to: 0..<length)
    }
  }

  package func identity() -> FileIdentity {
    state.withLock { state in
      FileIdentity(device: 0, inode: number, size: Int64(state.bytes.count), modified: state.modified)
    }
  }

  package func lock() -> Bool { true }

  package func dataSegments(in range: Segment) -> [Segment] { [range] }

  package func take(
    _ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool
  ) throws(Failure) -> Bool {
    try copyByHand(segments, from: other, isCancelled: isCancelled)
  }

  // MARK: Room

  package func checkLength(_ length: Int64) throws(Failure) {}
  package func reserve(_ range: Segment) throws(Failure) {}
  package var allocated: Int64 { state.withLock { Int64($0.bytes.count) } }

  // MARK: Durability

  package func startWriteBack(_ range: Segment) {}

  package func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet {
    var whole = SegmentSet()
    for segment in written.segments {
      let (lower, upper) = ((segment.lowerBound + unit - 1) / unit * unit, segment.upperBound / unit * unit)
      if lower < upper { whole.insert(lower..<upper) }
    }
    state.withLock { state in for segment in whole.segments { state.durable.insert(segment) } }
    return whole
  }

  package func sync() throws(Failure) { state.withLock { $0.durable = SegmentSet(0..<Int64($0.bytes.count)) } }

  package func checkWriteBack() throws(Failure) {}

  // MARK: Publishing

  package func finish(
    size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?
  ) throws(Failure) -> FileIdentity {
    guard allocated >= size else {
      throw Failure(.integrity, path, "the part has \(allocated) bytes of \(size)", recovery: .retry)
    }
    guard home.has(self) else { throw .moved(path) }
    try truncate(to: size)
    if let modified { state.withLock { $0.modified = modified * 1_000_000_000 } }
    return identity()
  }
}
