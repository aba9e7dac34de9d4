internal import DrayCore
internal import Posix

/// A part file, or a published file, as seen by code above the destinations.
final class LocalPart: PartStorage {
  let file: PartFile
  private let home: LocalDestination

  init(_ file: PartFile, in home: LocalDestination) { (self.file, self.home) = (file, home) }

  var destination: any Destination { home }

  var path: String { PathText.join(file.directory.path, file.name) }

  private func failing<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
    do throws(SystemError) { return try body() } catch { throw error.failure(path) }
  }

  // MARK: Bytes

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool {
    try home.fence?.check(path)
    return try failing { () throws(SystemError) in
      if !stayingInMemory, try file.writeUncached(bytes, at: position) { return false }
      try file.write(bytes, at: position)
      return true
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    try failing { () throws(SystemError) in try file.read(into: buffer, at: position) }
  }

  func truncate(to length: Int64) throws(Failure) {
    try home.fence?.check(path)
    try failing { () throws(SystemError) in try file.truncate(to: length) }
  }

  func empty() throws(Failure) {
    guard PartOwnership.isFenced(by: home.store) else { return try truncate(to: 0) }
    try home.fence?.check(path)
    try failing { () throws(SystemError) in
      try PartFile.remove(file.name, in: file.directory, store: home.store)
    }
    // If the runner was paused during the removal, it must not create a file that no record names.
    try home.fence?.check(path)
    try failing { () throws(SystemError) in try file.beginAnew() }
  }

  func trim(to length: Int64) {
    if !PartOwnership.isFenced(by: home.store) { try? truncate(to: length) }
  }

  func identity() throws(Failure) -> FileIdentity {
    try failing { () throws(SystemError) in try file.identity() }
  }

  func lock() -> Bool { file.lock() }

  func dataSegments(in range: Segment) -> [Segment] { file.dataSegments(in: range) }

  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool {
    guard let other = other as? LocalPart else {
      return try copyByHand(segments, from: other, isCancelled: isCancelled)
    }
    return try failing { () throws(SystemError) in
      try file.take(segments, from: other.file, isCancelled: isCancelled)
    }
  }

  // MARK: Room

  func checkLength(_ length: Int64) throws(Failure) { try file.checkLength(length) }

  func reserve(_ range: Segment) throws(Failure) {
    try failing { () throws(SystemError) in try file.reserve(range) }
  }

  var allocated: Int64 { file.allocated }

  // MARK: Durability

  func startWriteBack(_ range: Segment) { file.startWriteBack(range) }

  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet {
    file.putLabel()
    try sync()
    return written
  }

  func sync() throws(Failure) { try failing { () throws(SystemError) in try file.sync() } }

  func checkWriteBack() throws(Failure) { try failing { () throws(SystemError) in try file.checkWriteBack() } }

  // MARK: Publishing

  var isAway: Bool { file.directory !== home.directory && !file.directory.isSame(as: home.directory) }

  func homed(in other: any Destination) -> any PartStorage {
    (other as? LocalDestination).map { LocalPart(file, in: $0) } ?? self
  }

  func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)? {
    guard isAway else { return self }
    // If the name belongs to another file by now, do not rename or copy that file.
    guard file.isInPlace else { throw .moved(path) }
    let target = PathText.join(home.path, file.name)
    do throws(SystemError) {
      guard
        let staged = try file.staged(to: home.directory, size: size, store: home.store, isCancelled: isCancelled)
      else { return nil }
      return staged === file ? self : LocalPart(staged, in: home)
    } catch {
      throw error.failure(target)
    }
  }

  func recordOrigin(_ url: String) -> String? {
    file.setOrigin(url).map { "its URL could not be recorded: \($0.text)" }
  }

  func finish(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity {
    let present = try failing { () throws(SystemError) in
      // Check even if there is no sync, because bytes that are known to be lost must not be published.
      try file.checkNothingIsLost()
      return try file.look()
    }
    guard present.size >= size else {
      throw Failure(
        .integrity, path, "the part file has \(present.size) bytes of \(size)",
        advice: "\(.retry) fetches it again", recovery: .retry)
    }
    guard present.isInPlace, isInPlace ?? home.isInPlace else {
      // Remove the file, because no later run would look for it in this directory (P5).
      if present.isInPlace { try? file.directory.remove(file.name) }
      throw .moved(path)
    }
    return try failing { () throws(SystemError) in
      // Truncating also releases blocks that were reserved beyond the end. A small file never has such blocks.
      if present.size > size || present.allocated - size > LocalPart.slack { try file.truncate(to: size) }
      // After this, only the mode of the file changes, so this is also the identity of the target.
      if let modified { file.setModified(modified) }
      return try file.identity()
    }
  }

  func finishNew(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity {
    guard isInPlace ?? home.isInPlace else {
      try? file.directory.remove(file.name)
      throw .moved(path)
    }
    return try failing { () throws(SystemError) in
      try file.checkNothingIsLost()
      if let modified { file.setModified(modified) }
      return try file.identity()
    }
  }

  /// The number of bytes that a file may take on disk beyond its length even though it has reserved none.
  private static let slack: Int64 = 64 << 10
}
