// Real S3 servers as plain processes of a sandbox, started by s3server.py.

import FaultServer
import Foundation
import TestSupport
import Testing

/// A kind of S3 server that `scripts/setup.sh s3` installs; moto comes with `scripts/setup.sh test`.
enum ObjectServerKind: String, Sendable, CaseIterable, CustomTestStringConvertible {
  /// A real server: checks signatures and checksums.
  case seaweedfs
  /// An emulator: completes uploads atomically, has checksums.
  case ministack
  /// An emulator for speed.
  case moto
  /// What OpenStack runs: MD5 only.
  case swift

  var testDescription: String { rawValue }

  /// The program that s3server.py starts.
  private var program: String? {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/root") + "/.cache"
    let programs = environment["DRAY_S3"].map { $0 + "/bin" } ?? cache + "/dray-s3/bin"
    switch self {
    case .seaweedfs: return programs + "/weed"
    case .ministack: return programs + "/ministack"
    case .moto: return Moto.python
    case .swift: return cache + "/dray-swift/bin/swift-proxy-server"
    }
  }

  /// Whether this machine has it.
  var isInstalled: Bool { program.map { access($0, X_OK) == 0 } ?? false }
}

extension Need {
  /// An S3 server of this kind.
  static func server(_ kind: ObjectServerKind) -> Need {
    Need(kind.rawValue, "scripts/setup.sh \(kind == .moto ? "test" : "s3") installs it from PyPI") {
      kind.isInstalled
    }
  }
}

/// A bucket that the program writes to: where it is, and with which keys.
struct BucketPlace: Sendable {
  /// The value of `--endpoint-url`.
  let endpoint: String
  let access: String
  let secret: String

  /// The environment of programs that use it.
  var variables: [String: String] {
    [
      "AWS_ENDPOINT_URL_S3": endpoint, "AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret,
      "AWS_REGION": "us-east-1",
    ]
  }
}

extension FaultBucket {
  /// The place of this bucket.
  var place: BucketPlace { BucketPlace(endpoint: endpoint, access: "AKIDANN", secret: "s3cretKeyOfAnn") }
}

/// A running server with an empty bucket named `bucket`. It ends with its sandbox.
struct ObjectServer: Sendable {
  let kind: ObjectServerKind
  let place: BucketPlace
  private let sandbox: Sandbox

  /// The path of a script of this directory.
  static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Starts a server of `kind` and waits until it answers.
  ///
  /// - Throws: `HarnessError` if it does not start.
  init(_ kind: ObjectServerKind, in sandbox: Sandbox) async throws {
    let directory = "\(sandbox.root)/\(kind)-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let running = try sandbox.launch(try toolPath("python3"), ["-B", Self.script("s3server.py"), "\(kind)", directory])
    {
      // The servers are in the cache of the user, not of the sandbox.
      let own = ProcessInfo.processInfo.environment
      $0.environment["XDG_CACHE_HOME"] = own["XDG_CACHE_HOME"] ?? (own["HOME"] ?? "/root") + "/.cache"
      for name in ["DRAY_S3", "DRAY_MOTO"] { $0.environment[name] = own[name] }
    }
    // Their imports need seconds of a core, and much longer beside all other tests.
    try await running.wait(for: "\(kind)", seconds: 240, every: 0.1) { running.output.hasSuffix("\n") }
    let said = try JSONDecoder().decode([String: String].self, from: Data(running.output.utf8))
    guard let endpoint = said["endpoint"], let access = said["access"], let secret = said["secret"] else {
      throw HarnessError("\(kind) says \(running.output)")
    }
    self.kind = kind
    self.sandbox = sandbox
    place = BucketPlace(endpoint: endpoint, access: access, secret: secret)
  }

  // MARK: Its content

  /// Runs a command of s3client.py and returns its output.
  private func client(_ arguments: [String]) async throws -> String {
    let program = try sandbox.launch(try toolPath("python3"), ["-B", Self.script("s3client.py")] + arguments) {
      $0.environment.merge(place.variables) { $1 }
    }
    let finished = try await program.finish()
    guard finished.status == 0 else { throw HarnessError("\(finished)") }
    return finished.output
  }

  private func json<Value: Decodable>(_ arguments: [String], as type: Value.Type) async throws -> Value {
    try JSONDecoder().decode(type, from: Data(try await client(arguments).utf8))
  }

  /// Status and fields of an object, the names in lower case.
  struct Head: Decodable {
    let status: Int
    let fields: [String: String]
  }

  /// What `HeadObject` says.
  func head(_ key: String) async throws -> Head { try await json(["head", key], as: Head.self) }

  /// The unfinished uploads: pairs of key and id.
  func uploads() async throws -> [[String]] { try await json(["uploads"], as: [[String]].self) }

  /// The keys of all objects.
  func keys() async throws -> Set<String> {
    struct Item: Decodable {
      let key: String
      init(from decoder: any Decoder) throws {
        var items = try decoder.unkeyedContainer()
        key = try items.decode(String.self)
      }
    }
    return Set(try await json(["keys"], as: [Item].self).map(\.key))
  }

  /// The difference of an object from `content`; nil for none.
  func difference(_ key: String, _ content: Content) async throws -> String? {
    let path = "\(sandbox.root)/streams/object-\(UUID().uuidString)"
    _ = try await client(["get", key, path])
    defer { try? FileManager.default.removeItem(atPath: path) }
    return content.difference(fromFileAt: path)
  }

  /// Puts another client's object there.
  func put(_ key: String, _ content: Content) async throws {
    let path = "\(sandbox.root)/streams/object-\(UUID().uuidString)"
    try content.write(toFileAt: path)
    _ = try await client(["put", key, path])
  }

  /// Starts another client's upload.
  func startUpload(_ key: String) async throws { _ = try await client(["start", key]) }

  /// Removes an object.
  func delete(_ key: String) async throws { _ = try await client(["delete", key]) }
}

extension Sandbox {
  /// Starts `dray` with the keys of a bucket in its environment.
  func start(_ arguments: [String], in place: BucketPlace) throws -> RunningProgram {
    try start(arguments) { $0.environment.merge(place.variables) { $1 } }
  }

  /// Runs `dray` with the keys of a bucket to its end.
  @discardableResult
  func dray(_ arguments: [String], in place: BucketPlace, seconds: Double = patience) async throws -> Finished {
    let finished = try await start(arguments, in: place).finish(seconds: seconds)
    WireCheck.expect(arguments, finished.output)
    return finished
  }
}
