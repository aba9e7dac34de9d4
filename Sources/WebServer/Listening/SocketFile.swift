// The file of a socket: makes room for the file, and removes it afterwards.

internal import Posix

struct SocketFile: Sendable {
  let path: String
  private var node: FileNode?

  /// Makes room at a path: removes a stale socket that nobody listens on. The caller must prevent two servers from
  /// doing so at the same time (one service per state directory).
  /// - Throws: ``ListenError`` if a server listens there, if there is any other file, or if the path is too long for a
  ///   socket.
  static func reserve(_ path: String) throws(ListenError) -> SocketFile {
    guard path.utf8.count <= System.longestSocketPath else {
      throw ListenError(
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
      // The queue of the socket is full, so a server listens.
      case SystemError.tryAgain: break
      case SystemError.refused, SystemError.noSocket:
        throw ListenError(path, "it exists and is not a socket", "choose another path", kind: .file)
      default: throw ListenError(path, error.text, kind: .file)
      }
    }
    throw ListenError(path, "another program listens there", "end it, or choose another path", kind: .file)
  }

  /// Returns the reservation after the socket was created: the file that exists now is this process's.
  func made() -> SocketFile {
    var made = self
    made.node = try? System.node(path)
    return made
  }

  /// Removes the file unless another one has replaced it.
  func remove() {
    guard let node, let found = try? System.node(path), found.isSame(as: node) else { return }
    System.remove(path)
  }
}
