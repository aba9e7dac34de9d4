// A fleet for one test: a database, and runners that look like separate machines to dray: each has its own state
// directory, and its own connection to the database that can be cut.
//
// DRAY_FLEET_FILES, DRAY_FLEET_KILLS and DRAY_FLEET_RESTARTS change the numbers (`make fleet-test`), DRAY_FLEET_SEED repeats
// the draws.

import FaultServer
import Foundation
import PostgresServer
import TestSupport
import Testing

/// A queue in PostgreSQL, and the programs of its machines.
struct Fleet: Sendable {
  private static let environment = ProcessInfo.processInfo.environment
  private static func number(_ name: String, _ usual: Int) -> Int { environment[name].flatMap { Int($0) } ?? usual }

  /// The number of files.
  static let files = number("DRAY_FLEET_FILES", 200)
  /// How often runners are killed.
  static let kills = number("DRAY_FLEET_KILLS", 4)
  /// How often the database is stopped at once.
  static let restarts = number("DRAY_FLEET_RESTARTS", 3)
  static let seed = TestSeed.value("DRAY_FLEET_SEED")
  /// The seconds that long runs may take.
  static let patience = 120 + Double(files) / 4

  let sandbox: Sandbox
  let server: PostgresServer
  let database: String
  /// The length of leases in seconds. It is short only in tests that wait for a lease to expire: a program that gets no
  /// processor time for that long loses its jobs.
  var lease = 30

  /// Runs `body` with a fleet on an empty database.
  /// - Parameters:
  ///   - ownServer: Whether the test disturbs the server, so that it needs a separate one.
  ///   - lease: The length of leases in seconds.
  static func use(ownServer: Bool = false, lease: Int = 30, _ body: (Fleet) async throws -> Void) async throws {
    try await Sandbox.use { sandbox in
      let server = try ownServer ? PostgresServer() : PostgresServer.shared()
      defer { if ownServer { server.stop() } }
      try await body(Fleet(sandbox: sandbox, server: server, database: try server.newDatabase(), lease: lease))
    }
  }

  /// Returns a copy of the queue in another database, with the same files.
  func copied() throws -> Fleet {
    Fleet(sandbox: sandbox, server: server, database: try server.copy(database), lease: lease)
  }

  // MARK: Programs

  /// The environment of a machine.
  /// - Parameter ports: The ports at which it looks for the database; `nil` is the server's.
  func environment(_ machine: String, ports: [Int]? = nil) -> [String: String] {
    let hosts = (ports ?? [server.port]).map { "127.0.0.1:\($0)" }.joined(separator: ",")
    return [
      "DRAY_STORE": "postgresql://dray@\(hosts)/\(database)", "DRAY_HOME": "\(sandbox.root)/home-\(machine)",
      "DRAY_LEASE": "\(lease)", "DRAY_SHARED_DIR": sandbox.downloads,
    ]
  }

  /// Starts `dray` on a machine.
  func start(
    _ arguments: [String], on machine: String, ports: [Int]? = nil, adding more: [String: String] = [:]
  ) throws -> RunningProgram {
    try sandbox.start(arguments) { launch in
      launch.environment.merge(environment(machine, ports: ports)) { $1 }
      launch.environment.merge(more) { $1 }
    }
  }

  /// Starts a runner, which has the machine's name.
  func runner(
    _ machine: String, _ arguments: [String] = [], atOnce: Int = 4, ports: [Int]? = nil,
    adding more: [String: String] = [:]
  ) throws -> RunningProgram {
    try start(
      ["run", "--name", machine, "-j", "\(atOnce)", "--max-per-host", "100", "--progress", "none"] + arguments,
      on: machine,
      ports: ports, adding: more)
  }

  /// Runs `dray` on a machine without runners.
  @discardableResult
  func dray(_ arguments: [String], adding more: [String: String] = [:], seconds: Double = 180) async throws -> Finished
  {
    let finished = try await start(arguments, on: "desk", adding: more).finish(seconds: seconds)
    WireCheck.expect(arguments, finished.output)
    return finished
  }

  /// Puts files on the source and into the queue.
  /// - Parameter options: More options of `dray add`.
  func add(
    _ files: [FleetFile], _ options: [String] = [], to directory: String? = nil, adding more: [String: String] = [:]
  ) async throws {
    for file in files { sandbox.server[file.path] = file.resource }
    let list = try sandbox.write(
      files.map { sandbox.server.url($0.path) + "\n" }.joined(), to: "../streams/list-\(UUID().uuidString)")
    let words =
      [
        "add", "-q", "--retry-wait", "0.2", "--retries", "20", "-d", directory ?? sandbox.downloads,
        "-i",
        list,
      ] + options
    expect(try await dray(words, adding: more), exits: 0)
  }

  // MARK: The store

  /// Runs SQL in the store.
  @discardableResult
  func sql(_ text: String) throws -> String { try server.psql("SET search_path = dray; " + text, in: database) }

  func count(_ condition: String, in table: String = "hot") throws -> Int {
    Int(try sql("SELECT count(*) FROM \(table) WHERE \(condition)")) ?? -1
  }

  /// The number of complete jobs.
  var complete: Int { get throws { try count("state = 'complete'") } }

  /// Whether a runner has a lease now, by the database's clock.
  func hasLease(_ machine: String) throws -> Bool {
    try count("name = '\(machine)' AND lease_until > clock_timestamp()", in: "runners") > 0
  }

  /// The number of jobs that a runner holds.
  func held(by machine: String) throws -> Int {
    try count("state = 'active' AND runner IN (SELECT id FROM runners WHERE name = '\(machine)')")
  }

  // MARK: The end

  /// Expects that each file is there once, exact and alone, and that nothing is left in the store.
  /// - Parameter again: The number of files that may have been fetched twice because their runner was lost.
  func expectDone(
    _ files: [FleetFile], again: Int = 0, inDirectory isLocal: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let states = try sql("SELECT state, count(*) FROM hot GROUP BY 1 ORDER BY 1")
    let failures = try sql("SELECT failure FROM jobs WHERE failure IS NOT NULL LIMIT 3")
    #expect(states == "complete|\(files.count)", "\(failures)", sourceLocation: sourceLocation)
    #expect(
      try count("runner IS NOT NULL OR command IS NOT NULL OR publishing IS NOT NULL") == 0,
      sourceLocation: sourceLocation)
    let twice = try sql(
      "SELECT count(*) FROM (SELECT job FROM attempts WHERE outcome = 'complete' GROUP BY job HAVING count(*) > 1) AS t"
    )
    #expect(twice == "0", "jobs that were completed more than once", sourceLocation: sourceLocation)
    // A killed runner cannot release its lease, which then expires.
    try await waitUntil("the end of all leases", seconds: 60, every: 0.2) {
      try count("lease_until > clock_timestamp()", in: "runners") == 0
    }
    let more = files.count { file in sandbox.server.requests(file.path).count > file.requests }
    #expect(more <= again, "files that were fetched again", sourceLocation: sourceLocation)
    guard isLocal else { return }
    sandbox.expectFiles(
      Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.final.content) }), sourceLocation: sourceLocation)
  }
}

/// A file of a fleet: what the source does, and what must be there at the end.
struct FleetFile: Sendable {
  let name: String
  let resource: Resource
  let final: Version
  /// The number of requests without a fault of the fleet.
  let requests: Int

  var path: String { "/\(name)" }

  /// A file that is served by the rules.
  init(_ name: String, size: Int64 = 30_000, script: [Answer] = [], requests: Int = 1) {
    final = Version.named(name, size: size)
    (self.name, resource, self.requests) = (name, Resource(final, script: script), requests)
  }

  /// A file with any resource.
  init(_ name: String, _ resource: Resource, final: Version, requests: Int) {
    (self.name, self.resource, self.final, self.requests) = (name, resource, final, requests)
  }

  /// A file that the source replaces while it is fetched.
  init(changing name: String, size: Int64) {
    final = Version.named("\(name) later", size: size + 77)
    resource = Resource(Version.named(name, size: size), script: [.cut(after: size / 2), .changed(to: final), .normal])
    // The rest of the first version, then the whole of the second.
    (self.name, requests) = (name, 3)
  }

  /// Files of different sizes: most are small, every tenth is replaced half-way, every twentieth is larger and slow.
  static func mixed(_ count: Int, prefix: String = "f") -> [FleetFile] {
    (0..<count).map { index in
      let name = "\(prefix)\(index)"
      if index % 10 == 3 { return FleetFile(changing: name, size: 200_000) }
      if index % 20 == 7 { return FleetFile(name, size: 2_000_000, script: [Answer { $0.rate = 1 << 20 }]) }
      return FleetFile(name, size: 10_000 + Int64(index % 7) * 5000, script: [Answer { $0.latency = 0.1 }])
    }
  }
}
