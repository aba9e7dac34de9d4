// The commands of an episode, by client, and their order.

import FaultServer
import Foundation

extension EpisodeRun {
  /// Runs the whole episode.
  func perform() async throws {
    switch episode.client {
    case .repair: try await repair()
    case .ifChanged: try await fetchIfChanged()
    case .get, .redirected, .mirrored, .stdout, .several, .leftover, .sync: try await fetch()
    }
    if problems.isEmpty, episode.client != .stdout { try await checkEnd() }
  }

  // MARK: Fetching

  /// Runs the same command until it reports success. In the last run the servers follow all rules, and it must succeed.
  private func fetch() async throws {
    try prepare()
    if let plan = episode.bucket { bucket?.follow(plan, seed: episode.seed) }
    for stop in episode.stops {
      let finished = try await once(stop)
      if finished.status == 0 || !problems.isEmpty { return }
      if episode.damagesPart { try await damagePart() }
      site.pass()
    }
    site.calm()
    bucket?.behave()
    let before = site.told.count
    var finished = try await once(nil)
    // If an earlier run fetched a file whole and had no time to judge it, the file is judged without a request. If the
    // judgement fails, the next run fetches the file.
    let asked = Set(site.told.dropFirst(before).map(\.file))
    if finished.status == 9,
      episode.files.indices.contains(where: { episode.files[$0].demanded != nil && !asked.contains($0) })
    {
      finished = try await once(nil)
    }
    let isPossible = !episode.files.contains { $0.demanded == -1 }
    note(
      !problems.isEmpty || (finished.status == 0) == isPossible,
      "P3 at the end the servers keep all rules\(isPossible ? "" : ", and no file has the digest"): \(finished)")
  }

  /// Writes the command's input.
  private func prepare() throws {
    switch episode.client {
    case .several:
      let lines = episode.files.indices.map { file in
        let digest = checksum(file).map { "  checksum=\($0)\n" } ?? ""
        return "\(site.url(file))\n  out=\(episode.files[file].name)\n\(digest)"
      }
      try sandbox.write(lines.joined(), to: "../streams/list")
    case .sync:
      let entries = episode.files.indices.map { file in
        "[[file]]\nurl = \"\(site.url(file))\"\n" + (checksum(file).map { "digest = \"\($0)\"\n" } ?? "")
      }
      try sandbox.write(entries.joined(), to: "set.toml")
    default:
      break
    }
  }

  private func once(_ stop: StopPlan?) async throws -> Finished {
    let output = sandbox.root + "/streams/output"
    let isOutput = episode.client == .stdout
    let finished = try await run(arguments, stop, output: isOutput ? output : nil)
    if isOutput {
      checkOutput(output, of: finished)
    } else if finished.status == 0 {
      checkDone(finished)
      if episode.client == .sync { checkLock() }
    }
    return finished
  }

  private var arguments: [String] {
    let common = ["-x", "\(episode.connections)"] + (episode.resumesAlways ? ["--resume", "always"] : [])
    let digest = checksum(0).map { ["--checksum", $0] } ?? []
    let place = episode.bucket == nil ? "" : "s3://\(FaultBucket.name)/"
    let name = place + episode.files[0].name
    switch episode.client {
    case .get, .redirected, .repair: return ["get"] + common + digest + ["-o", name, site.url(0)]
    case .mirrored:
      let mirrors = (1..<episode.hosts).flatMap { ["--mirror", site.url(0, host: $0)] }
      return ["get"] + common + digest + mirrors + ["-o", name, site.url(0)]
    case .stdout: return ["get"] + common + digest + ["-o", "-", site.url(0)]
    case .ifChanged: return ["get", "--if-changed"] + common + digest + ["-o", name, site.url(0)]
    case .several:
      let directory = place.isEmpty ? [] : ["-d", place]
      return ["get", "-j", "\(episode.jobs)"] + common + directory + ["-i", sandbox.root + "/streams/list"]
    case .leftover:
      return ["get", "-j", "1"] + common + episode.files.indices.map { site.url($0, host: site.host(of: $0)) }
    case .sync: return ["sync", "-j", "\(episode.jobs)", "-x", "\(episode.connections)", "set.toml"]
    }
  }

  /// The user's digest of a file.
  private func checksum(_ file: Int) -> String? {
    guard let demanded = episode.files[file].demanded else { return nil }
    return "sha-256="
      + (demanded < 0 ? String(repeating: "ab", count: 32) : Sandbox.sha256(site.contents[file][demanded]))
  }

  // MARK: Existing files

  /// Fetches the first version from servers that follow all rules.
  private func fetchFirst() async throws -> Content? {
    site.calm()
    let finished = try await run(["get", "-x", "\(episode.connections)", "-o", episode.files[0].name, site.url(0)])
    note(finished.status == 0, "the servers keep all rules: \(finished)")
    return problems.isEmpty ? site.contents[0].first(where: { isAtTarget($0) }) : nil
  }

  /// The file exists, and is replaced only by another version of the server's.
  private func fetchIfChanged() async throws {
    guard let first = try await fetchFirst() else { return }
    before = [[first]]
    site.stir()
    site.pass()
    for stop in episode.stops {
      let finished = try await run(arguments, stop)
      if finished.status == 0 { return checkFresh(first, finished) }
      guard problems.isEmpty else { return }
      if episode.damagesPart { try await damagePart() }
      site.pass()
    }
    site.calm()
    let finished = try await run(arguments)
    note(finished.status == 0, "P3 at the end the servers keep all rules: \(finished)")
    checkFresh(first, finished)
  }

  /// After exit 0 the first version may stay only if a server has it, or has said so.
  private func checkFresh(_ first: Content, _ finished: Finished) {
    guard finished.status == 0, isAtTarget(first), let policy = episode.files[0].places.first?.validators else {
      return
    }
    let isSaid = site.saidUnmodified || [.kept, .dateKept, .sameSecond].contains(policy)
    let isServed = site.truth(of: 0).sent.values.contains { isAtTarget($0) }
    note(isSaid || isServed, "up to date, and no server has this version: \(finished)")
  }

  /// The file is damaged. The repair must restore the published bytes, or the target stays unchanged.
  private func repair() async throws {
    guard let first = try await fetchFirst() else { return }
    let damaged = try damage(first)
    before = [[first, damaged]]
    isRepair = true
    site.stir()
    site.pass()
    for stop in episode.stops {
      if try await repairOnce(stop, first) || !problems.isEmpty { return }
      if episode.damagesPart { try await damagePart() }
      site.pass()
    }
    site.calm()
    // The unfinished work of an earlier run comes first.
    for _ in 0..<2 {
      if try await repairOnce(nil, first) || !problems.isEmpty { return }
    }
  }

  /// Repairs, or continues a repair. Returns whether the program called the target correct.
  private func repairOnce(_ stop: StopPlan?, _ first: Content) async throws -> Bool {
    guard try await sandbox.onlyJob().state == "complete" else {
      _ = try await run(["run"], stop)
      return false
    }
    let finished = try await run(["verify", "--repair", "1"], stop)
    guard finished.status == 0 else { return false }
    note(isAtTarget(first), "P12 repaired, and it is not what was published: \(finished)")
    return true
  }

  private func damage(_ content: Content) throws -> Content {
    let path = sandbox.path(episode.files[0].name)
    var dice = Dice(seed: episode.seed ^ 0xDA3A)
    for _ in 0..<1 + dice.place(in: 3) { try Sandbox.flip(dice.place(in: content.size), in: path) }
    if dice.happens(0.2) { truncate(path, off_t(dice.place(in: content.size))) }
    return .fixed(FileManager.default.contents(atPath: path) ?? Data())
  }
}
