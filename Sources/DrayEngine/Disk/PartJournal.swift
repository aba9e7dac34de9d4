// The journal of a part file: a small file in the state directory, mapped into memory. It records what its process has
// written (P21). Nothing waits for the journal or syncs it. After a power cut, only the checkpoint counts.

public import DrayCore
public import FoundationEssentials
internal import Posix
internal import Synchronization

/// The location of a job's journal.
public struct JournalPlace: Sendable, Equatable {
  /// The path of the file.
  public var path: String
  /// The UUID of the job.
  public var job: UUID
  /// The number of the attempt.
  public var attempt: Int

  public init(path: String, job: UUID, attempt: Int) { (self.path, self.job, self.attempt) = (path, job, attempt) }

  /// Reads the journal that a process left behind; returns `nil` if no intact journal exists.
  public func read() -> (version: JournaledVersion, sums: BlockSums)? {
    guard let bytes = try? System.read(path, limit: JournalMemory.size + 1),
      let content = bytes.withUnsafeBytes({ JournalMemory.read($0) }),
      let version = try? JSONDecoder().decode(JournaledVersion.self, from: Data(content.text))
    else { return nil }
    return (version, content.sums)
  }

  /// Identifies the present boot of this machine; `nil` if the system does not report one.
  public static var boot: String? { System.boot }

  @discardableResult
  public func remove() -> Bool { System.remove(path) }
}

/// The open journal of a part file. The file remains after the end of its process, unless it is removed.
final class PartJournal: Sendable {
  private struct Writer: @unchecked Sendable {
    let mapping: UnsafeMutableRawBufferPointer
    var memory: JournalMemory
    /// Describes the version of the bytes; empty if no bytes are valid.
    var text: [UInt8] = []
  }

  private let writer: Mutex<Writer>

  /// Creates the journal in place of an older one. The call blocks the calling thread.
  init(at place: JournalPlace) throws(SystemError) {
    place.remove()
    if !System.isReadable(PathText.directory(of: place.path)) {
      _ = try System.makeDirectory(PathText.directory(of: place.path))
    }
    let mapping = try System.createMapped(place.path, size: JournalMemory.size)
    writer = Mutex(Writer(mapping: mapping, memory: JournalMemory(mapping)))
  }

  deinit { writer.withLock { System.unmap($0.mapping) } }

  /// Empties the journal, and records the bytes of a version.
  func begin(_ version: JournaledVersion, _ extents: [BlockSums.Extent]) {
    guard let text = try? JSONEncoder().encode(version) else { return clear() }
    writer.withLock { $0.text = Array(text) }
    begin(extents)
  }

  /// Empties the journal, and records other bytes of the same version.
  func begin(_ extents: [BlockSums.Extent]) {
    writer.withLock { writer in
      if !writer.text.isEmpty, !writer.memory.begin(writer.text, extents) { _ = writer.memory.begin([], []) }
    }
  }

  /// - Returns: `false` if the journal has no space left; call ``begin(_:)`` to make some.
  func append(_ extent: BlockSums.Extent) -> Bool {
    writer.withLock { $0.text.isEmpty || $0.memory.append(extent) }
  }

  /// Records that no bytes are valid any more.
  func clear() {
    writer.withLock { writer in
      writer.text = []
      _ = writer.memory.begin([], [])
    }
  }
}
