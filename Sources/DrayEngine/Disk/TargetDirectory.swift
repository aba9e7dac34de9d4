// The open directory of a target. Each name in the directory is accessed through the directory's descriptor, so that
// nothing outside is touched (P6), even if the path later leads elsewhere. ``DirectoryWalk`` opens it.

public import DrayCore
public import Posix

public final class TargetDirectory: Sendable {
  public let place: DirectoryPlace
  public var path: String { place.path }
  let descriptor: Int32
  public let fileSystem: FileSystem
  private let device, inode: UInt64

  /// Opens a directory that the user named. With `create`, the directory and its missing parents are created first.
  /// - Throws: ``SystemError``.
  public convenience init(path: String, create: Bool = false) throws(SystemError) {
    try self.init(DirectoryPlace(path), create: create)
  }

  /// Opens a directory. With `create`, the directory and its missing parents are created first.
  /// - Throws: ``SystemError``; its code is `ELOOP` if a component that the user did not name is a link (P6).
  public init(_ place: DirectoryPlace, create: Bool = false) throws(SystemError) {
    self.place = place
    let opened = try DirectoryWalk.open(place, create: create)
    let status: FileStatus
    do throws(SystemError) { status = try System.status(opened) } catch {
      System.close(opened)
      throw error
    }
    (descriptor, device, inode) = (opened, status.device, status.inode)
    fileSystem = FileSystem(of: opened, device: device)
  }

  deinit { System.close(descriptor) }

  var node: [UInt64] { [device, inode] }

  public var isInPlace: Bool {
    // Use no descriptor, because none may be free.
    guard !DirectoryWalk.hasLink(place), let there = try? System.status(at: path) else { return false }
    return device == there.device && inode == there.inode
  }

  /// The free space of the file system in bytes; `nil` if unknown.
  public var freeSpace: Int64? { (try? System.space(descriptor))?.free }

  /// Whether anything has this name, even a dangling link.
  public func exists(_ name: String) -> Bool { (try? System.status(name, in: descriptor)) != nil }

  /// Returns the identity of a regular file; `nil` for anything else.
  public func identity(of name: String) -> FileIdentity? {
    guard let status = try? System.status(name, in: descriptor), status.isRegular else { return nil }
    return FileIdentity(status)
  }

  /// Returns the kind of thing that has a name; `nil` if the name is free or cannot be read.
  public func occupant(of name: String) -> Occupant? {
    guard let status = try? System.status(name, in: descriptor) else { return nil }
    if status.isRegular { return .file }
    if status.isDirectory { return .directory }
    guard status.isLink else { return .special }
    guard let there = try? System.status(name, in: descriptor, following: true) else { return .link }
    return there.isRegular || there.isDirectory ? .link : .special
  }

  public func isDirectory(_ name: String) -> Bool { occupant(of: name) == .directory }

  /// Returns the names in the directory, in any order.
  public func names() throws(SystemError) -> [String] { try System.names(of: descriptor) }

  /// Removes a name; a missing name is not an error.
  public func remove(_ name: String) throws(SystemError) {
    do throws(SystemError) { try System.unlink(name, in: descriptor) } catch {
      if error.code != SystemError.noEntry { throw error }
    }
  }

  /// Makes the names in the directory durable.
  public func sync() throws(SystemError) {
    do throws(SystemError) { try System.sync(descriptor) } catch {
      // On some file systems, directories cannot be synced and need not be.
      if error.code != SystemError.invalid { throw error }
    }
  }
}

extension FileIdentity {
  init(_ status: FileStatus) {
    let (seconds, nanoseconds) = status.modified
    self.init(
      device: status.device, inode: status.inode, size: status.size,
      modified: FileIdentity.nanoseconds(seconds: seconds, fraction: nanoseconds))
  }
}
