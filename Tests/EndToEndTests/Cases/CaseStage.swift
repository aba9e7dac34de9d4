// Runs the steps of a case, in a sandbox with running servers, and gathers the outcome.

import FaultServer
import Foundation

/// The place where a case runs.
struct CaseStage {
  let sandbox: Sandbox
  let other: FaultServer
  let faultCase: FaultCase
  let gate: Gate

  /// Runs all steps.
  func play() async throws -> CaseOutcome {
    var outcome = CaseOutcome()
    for (index, step) in faultCase.steps.enumerated() {
      if index == faultCase.steps.count - 1, faultCase.expect.onlyMissing {
        outcome.receivedBefore = try await sandbox.jobs().last?.received
        for serve in faultCase.serves {
          outcome.before[CaseOutcome.key(serve.site, serve.path)] = requests(serve).count
        }
      }
      outcome.ran.append(try await run(step))
    }
    try await look(&outcome)
    return outcome
  }

  private func requests(_ serve: FaultCase.Serve) -> [SeenRequest] {
    (serve.site == .main ? sandbox.server : other).requests(serve.path)
  }

  // MARK: Steps

  private func run(_ step: FaultCase.Step) async throws -> CaseOutcome.Ran {
    let program = try launch(step.run, step, measured: step.memory != nil)
    do {
      if let moment = step.moment { try await wait(for: moment, of: program) }
      if let meanwhile = step.meanwhile {
        let finished = try await launch(meanwhile, step).finish()
        guard finished.status == 0 else { throw HarnessError("\(finished)") }
        gate.open()
      }
      for signal in step.stop { program.send(signal) }
      let finished = try await program.finish()
      return CaseOutcome.Ran(step: step, finished: finished, memory: try peakMemory(of: step))
    } catch let error as HarnessError {
      throw HarnessError("line \(step.line): \(error)")
    }
  }

  /// The directory of the `dray` that steps run.
  private static let commands = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/bin"

  /// Short waits, and one connection a file unless the case says otherwise.
  private var options: String {
    "--retry-wait 0.05" + (faultCase.connections.map { " --max-connections \($0)" } ?? "")
  }

  /// Runs its second argument and writes that program's peak memory in KiB to its first argument. The system counts the
  /// memory of the parent at the fork, too, so the parent must be small.
  private static let meter = """
    import resource, subprocess, sys
    ended = subprocess.run(["bash", "-c", sys.argv[2]])
    with open(sys.argv[1], "w") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    sys.exit(ended.returncode)
    """

  private func peakMemory(of step: FaultCase.Step) throws -> Int64 {
    guard step.memory != nil else { return 0 }
    let text = try String(contentsOfFile: "\(sandbox.root)/streams/peak-\(step.line)", encoding: .utf8)
    guard let kibibytes = Int64(text) else { throw HarnessError("the memory was not measured: \(text)") }
    return kibibytes << 10
  }

  private func launch(_ line: String, _ step: FaultCase.Step, measured: Bool = false) throws -> RunningProgram {
    let input = try step.input.map { try sandbox.write($0, to: "../streams/input-\(step.line)") }
    let command =
      measured
      ? ("python3", ["-c", Self.meter, "\(sandbox.root)/streams/peak-\(step.line)", line]) : ("bash", ["-c", line])
    return try sandbox.launch(try toolPath(command.0), command.1) { launch in
      launch.environment["PATH"] = "\(Self.commands):\(launch.environment["PATH"] ?? "")"
      launch.environment["CASE_OPTIONS"] = options
      for (name, value) in step.environment { launch.environment[name] = value }
      if let input { launch.input = .file(input) }
    }
  }

  private func wait(for moment: FaultCase.Moment, of program: RunningProgram) async throws {
    switch moment {
    case .requested(let site, let path):
      let server = site == .main ? sandbox.server : other
      try await program.wait(for: "a request for \(path)") { !server.requests(path).isEmpty }
    case .waiting:
      try await program.wait(for: "a wait for the next try", every: 0.1) {
        let listed = try await sandbox.dray("list", "--json")
        return CaseOutcome.jobs(json: listed.output)?.last?["notBefore"] ?? "null" != "null"
      }
    case .received(let count):
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try await program.wait(for: "received \(count)", every: 0.1) {
        try await sandbox.jobs().last.map { $0.received >= count } ?? false
      }
    case .durable(let count):
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try await program.wait(for: "a checkpoint of \(count)", every: 0.2) {
        try await sandbox.shown(1)?.recorded ?? 0 >= count
      }
    }
  }

  // MARK: The look

  private func look(_ outcome: inout CaseOutcome) async throws {
    let listed = try await sandbox.dray("list", "--json")
    outcome.listing = "\(listed)"
    outcome.jobs = listed.status == 0 ? CaseOutcome.jobs(json: listed.output) : nil
    for serve in faultCase.serves { outcome.requests[CaseOutcome.key(serve.site, serve.path)] = requests(serve) }
    for name in sandbox.names() {
      // A server may give a file the name of a visible part file.
      if sandbox.isPartFile(name), faultCase.expect.files[name] == nil {
        outcome.parts[name] = sandbox.mode(of: sandbox.path(name))
      } else {
        outcome.files[name] = entry(sandbox.path(name), name)
      }
    }
    for name in faultCase.expect.files.keys { look(at: name, &outcome) }
    outcome.strangers = sandbox.names(in: sandbox.root)
      .subtracting(Sandbox.places.union(["tls"]))
      .filter { name in !faultCase.expect.files.keys.contains { $0.hasPrefix("\(sandbox.root)/\(name)") } }
    for name in sandbox.names(in: sandbox.home) where (sandbox.mode(of: "\(sandbox.home)/\(name)") ?? 0) & 0o077 != 0 {
      outcome.open.append(name)
    }
    if faultCase.secret != nil { outcome.shown = try await showEverything() }
  }

  private func look(at name: String, _ outcome: inout CaseOutcome) {
    let path = name.hasPrefix("/") ? name : sandbox.path(name)
    if let found = entry(path, name) { outcome.files[name] = found }
    if case .content(let content)? = faultCase.expect.files[name] {
      outcome.differences[name] = content.difference(fromFileAt: path)
    }
  }

  private func entry(_ path: String, _ name: String) -> Expectation.Entry? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory: return .directory
    case .typeSymbolicLink:
      return .link((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "")
    case .typeRegular:
      return .content(.generated(seed: 0, size: (attributes[.size] as? NSNumber)?.int64Value ?? 0))
    default: return .pipe
    }
  }

  /// The output of all commands that show jobs, and the extended attributes that others may read.
  private func showEverything() async throws -> [String] {
    var texts: [String] = []
    for line in ["dray list", "dray list --json", "dray list -v", "dray show 1", "dray show 1 --json"] {
      let arguments = line.split(separator: " ").dropFirst().map(String.init)
      texts.append("\(try await sandbox.dray(arguments))")
    }
    let code = """
      import os
      for name in os.listdir("."):
          for key in os.listxattr(name, follow_symlinks=False):
              print(name, key, os.getxattr(name, key))
      """
    texts.append("\(try await sandbox.tool("python3", ["-c", code]))")
    return texts
  }
}
