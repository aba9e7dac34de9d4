// The file of a socket: what is at its path before, and what is removed afterwards.

internal import DrayCore
internal import Posix

/// A path that a socket is to be at.
struct SocketFile: Sendable {
  let path: String
  /// The file that was made there.
  private var node: FileNode?

  /// Makes room at a path. A socket that nobody listens at any more is removed: its process ended without doing so. The caller
  /// holds whatever keeps two servers from doing that at the same moment (one service a state directory).
  /// - Throws: ``Failure`` for one that somebody listens at, for any other file, and for a path that is too long for a socket.
  static func claim(_ path: String) throws(Failure) -> SocketFile {
    guard path.utf8.count <= System.longestSocketPath else {
      throw .listening(
        path, "the path of a socket can have \(System.longestSocketPath) bytes", "choose a shorter directory")
    }
    do throws(SystemError) {
      System.close(try System.connection(toPath: path))
    } catch {
      switch error.code {
      case SystemError.noEntry: return SocketFile(path: path)
      case SystemError.refused where System.isSocket(path):
        System.remove(path)
        return SocketFile(path: path)
      // Its queue is full, so somebody has one.
      case SystemError.tryAgain: break
      case SystemError.refused, SystemError.noSocket:
        throw .listening(path, "a file that is not a socket is there", "choose another path", kind: .file)
      default: throw .listening(path, error.text, kind: .file)
      }
    }
    throw .listening(path, "another program listens there", "end it, or choose another path", kind: .file)
  }

  /// The file that is there now, as ours.
  func made() -> SocketFile {
    var made = self
    made.node = try? System.node(path)
    return made
  }

  /// Removes the file, if it is the one that was made.
  func remove() {
    guard let node, let found = try? System.node(path), found.isSame(as: node) else { return }
    System.remove(path)
  }
}
