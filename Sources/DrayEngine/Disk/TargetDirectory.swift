// The open directory of a target. Every name in it is accessed through its descriptor. So nothing outside the directory
// is touched (P6), even if its path later leads elsewhere. ``DirectoryWalk`` opens it.

internal import CLinux
public import DrayCore
internal import Glibc
public import Posix

public final class TargetDirectory: Sendable {
  public let place: DirectoryPlace
  public var path: String { place.path }
  let descriptor: Int32
  public let fileSystem: FileSystem
  private let device, inode: UInt64

  /// Opens a directory that the user named. With `create`, creates it and its missing parents first.
  /// - Throws: ``SystemError``.
  public convenience init(path: String, create: Bool = false) throws(SystemError) {
    try self.init(DirectoryPlace(path), create: create)
  }

  /// Opens a directory. With `create`, creates it and its missing parents first.
  /// - Throws: ``SystemError``; its code is `ELOOP` if a component that the user did not name is a link (P6).
  public init(_ place: DirectoryPlace, create: Bool = false) throws(SystemError) {
    self.place = place
    let opened = try DirectoryWalk.open(place, create: create)
    var info = stat()
    guard fstat(opened, &info) == 0 else {
      let error = SystemError("fstat")
      close(opened)
      throw error
    }
    (descriptor, device, inode) = (opened, UInt64(info.st_dev), UInt64(info.st_ino))
    fileSystem = FileSystem(of: opened, device: device)
  }

  deinit { close(descriptor) }

  var node: [UInt64] { [device, inode] }

  public var isInPlace: Bool {
    var there = stat()
    // Opens no descriptor, because there may be no free one.
    guard !DirectoryWalk.hasLink(place) else { return false }
    return stat(path, &there) == 0 && device == UInt64(there.st_dev) && inode == UInt64(there.st_ino)
  }

  /// In bytes; `nil` if unknown.
  public var freeSpace: Int64? {
    var info = statvfs()
    guard fstatvfs(descriptor, &info) == 0, info.f_blocks > 0 else { return nil }
    return Int64(clamping: UInt64(info.f_bavail).saturatingProduct(UInt64(info.f_frsize)))
  }

  /// A dangling link counts.
  public func exists(_ name: String) -> Bool {
    var info = stat()
    return fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// `nil` for anything else.
  public func identity(of name: String) -> FileIdentity? {
    var info = stat()
    guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0, info.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return FileIdentity(info)
  }

  /// `nil` if the name is free or cannot be read.
  public func occupant(of name: String) -> Occupant? {
    var info = stat()
    guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    switch info.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    case S_IFLNK:
      var there = stat()
      guard fstatat(descriptor, name, &there, 0) == 0 else { return .link }
      return [S_IFREG, S_IFDIR].contains(there.st_mode & S_IFMT) ? .link : .special
    default: return .special
    }
  }

  public func isDirectory(_ name: String) -> Bool { occupant(of: name) == .directory }

  /// Unordered.
  public func names() throws(SystemError) -> [String] {
    // The reading position belongs to the descriptor, so use a separate descriptor.
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw SystemError("open") }
    guard let stream = fdopendir(own) else {
      let error = SystemError("fdopendir")
      close(own)
      throw error
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw SystemError("readdir") }
    return names
  }

  /// A missing name is not an error.
  public func remove(_ name: String) throws(SystemError) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw SystemError("unlink") }
  }

  /// Makes the names durable.
  public func sync() throws(SystemError) {
    // EINVAL: the file system has nothing to sync for a directory.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemError("fsync") }
  }
}

extension FileIdentity {
  init(_ info: stat) {
    self.init(
      device: UInt64(info.st_dev), inode: UInt64(info.st_ino), size: Int64(info.st_size),
      modified: FileIdentity.nanoseconds(seconds: info.st_mtim.tv_sec, fraction: info.st_mtim.tv_nsec))
  }
}
