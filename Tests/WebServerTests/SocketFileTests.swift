// Sockets in the file system.

import Glibc
import Posix
import Testing
import WebTesting

@testable import WebServer

@Suite("sockets in the file system")
struct SocketFileTests {
  /// A separate directory for the socket's file.
  private struct Place: ~Copyable {
    let directory: String
    var path: String { directory + "/s" }

    init() throws {
      var name = Array("/tmp/dray-socket-XXXXXX".utf8CString)
      directory = String(cString: try #require(mkdtemp(&name)))
    }

    deinit {
      unlink(directory + "/s")
      rmdir(directory)
    }
  }

  @Test("only the owner can connect, whatever the umask; the file goes with its server")
  func mode() async throws {
    let place = try Place()
    let path = place.path
    let listeners = try Listener.open(.path(path))
    #expect(try System.ownership(of: path).mode & 0o7777 == 0o600)
    let server = WebServer(listeners, .init { .text(200, "\($0.peer), \($0.listenerKind)") })
    let answer = try await onThread {
      let client = try TestClient(path: path)
      client.send("GET / HTTP/1.1\r\nHost: anything\r\n\r\n")
      return client.answer().body
    }
    #expect(answer == "a local client, socket\n")
    await server.stop()
    #expect(System.kind(path) == .missing)
  }

  @Test("a dead process's socket is replaced")
  func stale() throws {
    let place = try Place()
    // Closed, but not removed: as after kill -9.
    System.close(try System.listener(atPath: place.path, backlog: 1))
    #expect(System.isSocket(place.path))
    for listener in try Listener.open(.path(place.path)) { listener.close() }
    #expect(System.kind(place.path) == .missing)
  }

  @Test("a socket in use is left alone")
  func living() throws {
    let place = try Place()
    let path = place.path
    let first = try Listener.open(.path(path))
    #expect { _ = try Listener.open(.path(path)) } throws: {
      ($0 as? ListenError)?.reason == "another program listens there"
    }
    #expect(System.isSocket(path))
    for listener in first { listener.close() }
  }

  @Test("a file that is not a socket is left alone, even one that took a socket's place")
  func others() throws {
    let place = try Place()
    let path = place.path
    System.close(try System.create(path, mode: 0o600))
    #expect { _ = try Listener.open(.path(path)) } throws: { ($0 as? ListenError)?.kind == .file }
    #expect(System.isFile(path))
    System.remove(path)

    let listeners = try Listener.open(.path(path))
    System.remove(path)
    System.close(try System.create(path, mode: 0o600))
    for listener in listeners { listener.close() }
    #expect(System.isFile(path))
  }

  @Test(
    "an inherited socket is the owner's door only if no one else can use its file", arguments: [0o600, 0o660, 0o666])
  func inherited(_ mode: UInt32) throws {
    let place = try Place()
    let descriptor = try System.listener(atPath: place.path, backlog: 1)
    chmod(place.path, mode_t(mode))
    let listener = try #require(Listener.inherited(descriptor))
    #expect(listener.name == place.path && listener.listenerKind == (mode == 0o600 ? .socket : .loopback))
    // The inherited file is not removed.
    listener.close()
    #expect(System.isSocket(place.path))
  }

  @Test("a path that is too long, or in no directory, is an error that says so")
  func invalid() {
    let long = "/tmp/" + String(repeating: "x", count: 200)
    #expect { _ = try Listener.open(.path(long)) } throws: { ($0 as? ListenError)?.kind == .address }
    #expect { _ = try Listener.open(.path("/nowhere/at/all/s")) } throws: { ($0 as? ListenError)?.kind == .file }
  }
}
