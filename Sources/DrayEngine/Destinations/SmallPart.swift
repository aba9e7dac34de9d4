// A complete small file that stays in memory until it is published. The loop's thread therefore does not wait for a
// disk, and a crash leaves nothing behind of a file that would soon have been complete (P5).

internal import DrayCore
internal import Synchronization

/// The storage of a complete file in memory. The storage creates the part at its destination when the file is finished,
/// or earlier if a caller needs the part. One thread publishes the file.
final class SmallPart: PartStorage {
  let destination: any Destination
  private let name: String
  private let body: SmallBody
  private let made = Mutex<(any PartStorage)?>(nil)
  private let target = Mutex<(name: String, description: ObjectDescription)?>(nil)

  /// - Parameters:
  ///   - name: The name of the part.
  ///   - body: All bytes of the file.
  init(_ name: String, at destination: any Destination, _ body: SmallBody) {
    (self.name, self.destination, self.body) = (name, destination, body)
  }

  var path: String { PathText.join(destination.path, name) }

  /// If writing the bytes fails, no part is left behind (P5).
  private func part() throws(Failure) -> any PartStorage {
    if let part = made.withLock(\.self) { return part }
    let part = try destination.createPart(name)
    part.expect(Int64(body.length))
    if let (name, description) = target.withLock(\.self) { part.willBe(name, description) }
    do throws(Failure) {
      if body.length > 0 { _ = try part.write(body.bytes, at: 0, stayingInMemory: true) }
    } catch {
      try? destination.discardPart(name)
      throw error
    }
    made.withLock { $0 = part }
    return part
  }

  var publishable: any PartStorage { made.withLock(\.self) ?? self }

  // MARK: Bytes

  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    let rest = body.bytes.dropFirst(Int(clamping: max(0, position))).prefix(buffer.count)
    if !rest.isEmpty { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest)) }
    return rest.count
  }

  func identity() throws(Failure) -> FileIdentity { try part().identity() }

  func lock() -> Bool { (try? part())?.lock() ?? false }

  func dataSegments(in range: Segment) -> [Segment] { [range] }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool {
    try part().write(bytes, at: position, stayingInMemory: stayingInMemory)
  }

  func truncate(to length: Int64) throws(Failure) { try part().truncate(to: length) }

  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool {
    try part().take(segments, from: other, isCancelled: isCancelled)
  }

  // MARK: Room

  func checkLength(_ length: Int64) throws(Failure) { try part().checkLength(length) }

  func reserve(_ range: Segment) throws(Failure) { try part().reserve(range) }

  var allocated: Int64 { made.withLock(\.self)?.allocated ?? 0 }

  // MARK: Durability

  func startWriteBack(_ range: Segment) { made.withLock(\.self)?.startWriteBack(range) }

  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet { try part().makeDurable(written) }

  func sync() throws(Failure) { try part().sync() }

  func checkWriteBack() throws(Failure) { try part().checkWriteBack() }

  // MARK: Publishing

  func willBe(_ name: String, _ description: ObjectDescription) {
    target.withLock { $0 = (name, description) }
    made.withLock(\.self)?.willBe(name, description)
  }

  var publishedIdentity: FileIdentity? { made.withLock(\.self)?.publishedIdentity }

  func recordOrigin(_ url: String) -> String? { made.withLock(\.self)?.recordOrigin(url) }

  func finish(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity {
    let isNew = made.withLock { $0 == nil }
    let part = try part()
    return isNew
      ? try part.finishNew(size: size, modified: modified, destinationIsInPlace: isInPlace)
      : try part.finish(size: size, modified: modified, destinationIsInPlace: isInPlace)
  }
}
