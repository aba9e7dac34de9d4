// The fixture of tests of the queue: a server, a state directory and a directory for files.

import Crypto
import DrayEngine
import DrayKit
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

/// The three, for one test, and short ways to use them.
final class KitFixture: Sendable {
  let server: FaultServer
  let manager: DownloadManager
  /// The manager's store, as another process has it open.
  let store: any JobStoring
  let root: String

  var home: StateDirectory { StateDirectory(path: root + "/state") }
  var directory: String { root + "/files" }

  private init(_ destinations: (any Destinations)?) throws {
    root = NSTemporaryDirectory() + "dray-kit-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root + "/files", withIntermediateDirectories: true)
    var configuration = Configuration(home: StateDirectory(path: root + "/state"))
    configuration.destinations = destinations
    manager = try DownloadManager.openBlocking(configuration)
    store = try #require(try JobStores.open(configuration.store, .find))
    server = try FaultServer()
  }

  /// Runs `body` in a new fixture, and takes it down.
  /// - Parameter destinations: The destinations of files; `nil` means the disk.
  static func use(
    _ destinations: (any Destinations)? = nil, _ body: (KitFixture) async throws -> Void
  ) async throws {
    let fixture = try KitFixture(destinations)
    defer {
      fixture.server.stop()
      try? FileManager.default.removeItem(atPath: fixture.root)
    }
    try await body(fixture)
  }

  /// A manager with its own connection and engine, like another process.
  func anotherManager() throws -> DownloadManager { try DownloadManager.openBlocking(Configuration(home: home)) }

  /// The files of this fixture that `clean` removed. `clean` also looks into the temporary directory of all tests.
  func clean() async throws -> [String] { try await manager.clean().removed.filter { $0.hasPrefix(root) } }

  // MARK: Jobs

  func specification(
    _ path: String, output: String? = nil, priority: Int = 0, _ change: (inout JobOptions) -> Void = { _ in }
  ) throws -> JobSpecification {
    var request = TransferRequest(url: try RequestURL.parse(server.url(path)).url)
    request.proxy = ""
    var options = JobOptions()
    options.retryWait = 0.01
    change(&options)
    return JobSpecification(
      request: request, options: options, directory: directory, output: output, priority: priority)
  }

  /// Serves `version` at `path`, answered by `script`, and queues a job for it.
  @discardableResult
  func add(
    _ path: String, _ version: FaultServer.Version, _ script: [FaultServer.Answer] = [], output: String? = nil,
    priority: Int = 0, _ change: (inout JobOptions) -> Void = { _ in }
  ) async throws -> JobID {
    server[path] = .init(version, script: script)
    let added = try await store.add(
      [try specification(path, output: output, priority: priority, change)], now: Date().timeIntervalSince1970)
    return try #require(added.first).id
  }

  func job(_ id: JobID) async throws -> Job { try #require(try await store.job(id)) }

  // MARK: Files

  /// The SHA-256 of bytes, in hexadecimal digits.
  static func sha256(_ bytes: some Sequence<UInt8>) -> String {
    SHA256.hash(data: Array(bytes)).map { String(format: "%02x", $0) }.joined()
  }

  func path(_ name: String) -> String { directory + "/" + name }

  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map { Array($0) } }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  /// The entries of the download directory, part files included.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }

  /// The difference between the file and `version`; `nil` for none.
  func difference(_ name: String, _ version: FaultServer.Version) -> String? {
    version.content.difference(fromFileAt: path(name))
  }

  /// The identity of a file, as the store records it.
  func identity(_ name: String) throws -> FileIdentity {
    var info = stat()
    try #require(lstat(path(name), &info) == 0)
    return FileIdentity(
      device: UInt64(info.st_dev), inode: UInt64(info.st_ino), size: Int64(info.st_size),
      modified: Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec))
  }

  /// The requested ranges at `path`.
  func ranges(_ path: String) -> [String?] { server.requests(path).map { $0["Range"] } }
}

extension FaultServer.Version {
  /// The version most tests fetch: large enough to be named and checkpointed on its way.
  static let sample = named("v1", size: 300_000)
}

/// Waits until `condition` holds, long enough for a busy machine; `false` if it never does.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  let deadline = ContinuousClock.now.advanced(by: .seconds(60))
  while try await !condition() {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return true
}
