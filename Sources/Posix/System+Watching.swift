// Reports changes in directories (inotify(7)).

#if DRAY_PORTABLE
/// The system reports no changes, so callers poll instead.
public struct DirectoryChanges: Sendable {
  public init?() { return nil }

  public struct Events: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let written = Events(rawValue: 1)
    public static let created = Events(rawValue: 2)
    public static let removed = Events(rawValue: 4)
    public static let closed = Events(rawValue: 8)
  }

  public func watch(_ path: String, _ events: Events) -> Int32? { nil }
  public func wait(_ milliseconds: Int32, _ body: (_ watch: Int32, _ name: String) -> Void) {}
  public func end(_ watch: Int32) {}
  public func close() {}
}
#else
internal import Glibc

/// An inotify instance. One thread waits; any thread may call the rest.
public struct DirectoryChanges: Sendable {
  private let descriptor: Int32

  /// Creates an instance; `nil` if the system has none left.
  public init?() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
  }

  /// Changes to report.
  public struct Events: OptionSet, Sendable {
    /// The system's bits.
    public let rawValue: UInt32
    /// Creates a set from the system's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A file was written.
    public static let written = Events(rawValue: UInt32(IN_MODIFY))
    /// A name was created.
    public static let created = Events(rawValue: UInt32(IN_CREATE))
    /// A name was removed.
    public static let removed = Events(rawValue: UInt32(IN_DELETE))
    /// A file that was open for writing was closed.
    public static let closed = Events(rawValue: UInt32(IN_CLOSE_WRITE))
  }

  /// Watches a directory.
  /// - Returns: The number of the watch; `nil` if it cannot be watched.
  public func watch(_ path: String, _ events: Events) -> Int32? {
    let number = inotify_add_watch(descriptor, path, events.rawValue)
    return number < 0 ? nil : number
  }

  /// Waits for a change, at most some milliseconds, and calls `body` with the watch and the name of each.
  public func wait(_ milliseconds: Int32, _ body: (_ watch: Int32, _ name: String) -> Void) {
    guard System.hasBytes(descriptor, within: milliseconds) else { return }
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
      while let count = try? System.readSome(descriptor, into: buffer), count > 0 {
        var position = 0
        while position < count {
          let event = buffer.load(fromByteOffset: position, as: inotify_event.self)
          let start = position + MemoryLayout<inotify_event>.size
          position = start + Int(event.len)
          body(event.wd, String(decoding: buffer[start..<position].prefix { $0 != 0 }, as: UTF8.self))
        }
      }
    }
  }

  /// Ends a watch. That is an event, too, and ends a wait.
  public func end(_ watch: Int32) { _ = inotify_rm_watch(descriptor, watch) }

  /// Ends all watches.
  public func close() { System.close(descriptor) }
}
#endif
