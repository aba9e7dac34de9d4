// A small file system for a database that gets full.

import Foundation

/// A tablespace on a file system of a few megabytes, which takes root.
public struct SmallDisk: Sendable {
  /// Whether this machine can have one.
  public static var isPossible: Bool { geteuid() == 0 && access("/usr/bin/mount", X_OK) == 0 }

  private let path: String
  private let server: PostgresServer
  /// A database whose tables are on it.
  public let database: String

  /// Mounts it for a server. `remove()` ends it.
  public init(on server: PostgresServer, megabytes: Int = 32) throws {
    self.server = server
    let name = "small\(UUID().uuidString.prefix(8).lowercased())"
    path = "\(server.directory)/\(name)"
    guard mkdir(path, 0o700) == 0 else { throw PostgresServerError("cannot make \(path)") }
    let options = "size=\(megabytes)m,uid=\(server.userID),mode=0700"
    guard system("mount -t tmpfs -o \(options) tmpfs \(path)") == 0 else {
      throw PostgresServerError("cannot mount \(path)")
    }
    do {
      try server.psql("CREATE TABLESPACE \(name) LOCATION '\(path)'")
      database = try server.newDatabase(tablespace: name)
    } catch {
      umount(path)
      throw error
    }
  }

  private var filler: String { path + "/filler" }

  /// Takes all the room that is left.
  public func fill() {
    let file = open(filler, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    let block = [UInt8](repeating: 1, count: 4096)
    while write(file, block, block.count) > 0 {}
  }

  /// Gives the room back.
  public func empty() { unlink(filler) }

  /// Unmounts it. The server must have been stopped, or be stopped without its help.
  public func remove() { umount2(path, Int32(MNT_DETACH)) }
}
