// What a service leaves in the state directory: its sessions, and the links to its page that other processes make.

internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix
internal import Threads

/// The files that remain after a service has ended. Only their owner can read them, and what they contain does not
/// permit a login.
struct ServiceMemory {
  /// The maximum length of a file in bytes, which is enough for all sessions.
  private static let most = 1 << 14
  /// The beginning of the names of the files for links. The rest of the name is the digest of the ticket, and the file
  /// contains the time.
  private static let linkPrefix = "serve.link-"

  private let home: StateDirectory
  private let executor = BlockingExecutor("dray.sessions")

  init(_ home: StateDirectory) { self.home = home }

  var ofAccessControl: AccessControl.Memory {
    let path = PathText.join(home.path, "serve.sessions")
    var memory = AccessControl.Memory()
    memory.sessions = ServiceMemory.text(path) ?? ""
    memory.keep = { [executor] text in
      // If the file is missing, users only have to log in again.
      executor.start { try? AtomicFile.write(Array(text.utf8), to: path, isPrivate: true) }
    }
    memory.redeem = { [home] name in
      let path = PathText.join(home.path, ServiceMemory.linkPrefix + name)
      guard let text = ServiceMemory.text(path), let made = ServiceMemory.seconds(text) else { return nil }
      System.remove(path)
      return Double(System.secondsSince1970 - made)
    }
    return memory
  }

  func finish() async { try? await executor.run { () throws(Failure) in } }

  /// Returns a new link to the page of the running service.
  func link(_ record: ServiceRecord) throws(Failure) -> String {
    guard let address = record.address else {
      throw Failure(
        .usage, "--link", "the running service has no address for browsers",
        advice: "start it with --listen 127.0.0.1:6800"
      )
    }
    guard record.hasSecret else { return address }
    let now = System.secondsSince1970
    for name in System.names(in: home.path) where name.hasPrefix(ServiceMemory.linkPrefix) {
      let path = PathText.join(home.path, name)
      if now - (ServiceMemory.text(path).flatMap(ServiceMemory.seconds) ?? 0) > 3600 { System.remove(path) }
    }
    let ticket = Secret.randomText()
    let name = ServiceMemory.linkPrefix + Secret.name(of: ticket)
    try AtomicFile.write(Array("\(now)\n".utf8), to: PathText.join(home.path, name), isPrivate: true)
    return "\(address)#login=\(ticket)"
  }

  private static func text(_ path: String) -> String? {
    (try? System.readOwned(path, limit: most)).flatMap { String(validating: $0.bytes, as: UTF8.self) }
  }

  private static func seconds(_ text: String) -> Int64? { Int64(text.split(separator: "\n").first ?? "") }
}
