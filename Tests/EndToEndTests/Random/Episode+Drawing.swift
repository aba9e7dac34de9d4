// Draws an episode from its seed: the features that find most are drawn most.

import FaultServer
import Foundation

extension Episode {
  /// The episode of this seed.
  init(seed: UInt64) {
    var dice = Dice(seed: seed)
    self.seed = seed
    let clients: [(weight: Int, value: Client)] = [
      (26, .get), (12, .redirected), (16, .mirrored), (7, .stdout), (8, .several), (6, .leftover), (8, .sync),
      (7, .ifChanged), (10, .repair),
    ]
    client = dice.pick(clients) ?? .get
    switch client {
    case .mirrored, .redirected: hosts = dice.happens(0.5) ? 2 : 3
    case .leftover: hosts = 2
    default: break
    }
    connections = dice.pick([(client == .mirrored ? 0 : 4, 1), (4, 4), (2, 16)]) ?? 1
    jobs = client == .leftover ? 1 : client.isMany ? 1 + Int(dice.place(in: 4)) : 1
    resumesAlways = client != .leftover && client != .sync && dice.happens(0.2)
    let count = client == .leftover ? 3 : client.isMany ? 2 + Int(dice.place(in: 3)) : 1
    files = (0..<count).map { Self.file($0, client, hosts: hosts, connections, &dice) }
    stops = (0..<(client == .leftover ? 1 : 3)).map { _ in Self.stop(files, &dice) }
    damagesPart = client != .stdout && dice.happens(0.1)
    drawMore()
  }

  private static func stop(_ files: [FilePlan], _ dice: inout Dice) -> StopPlan? {
    guard dice.happens(0.6) else { return nil }
    let signal = [SIGKILL, SIGINT, SIGTERM][Int(dice.place(in: 3))]
    let size = files.reduce(0) { $0 + ($1.versions.first?.size ?? 0) }
    let bytes = dice.happens(0.75) ? dice.place(in: max(1, size)) : nil
    // A killed run keeps its checkpoints, one a second.
    let seconds = bytes == nil ? Double(dice.place(in: signal == SIGKILL && dice.happens(0.2) ? 1500 : 300)) / 1000 : 2
    return StopPlan(signal: signal, bytes: bytes, seconds: seconds)
  }

  // MARK: Files

  private static func file(
    _ index: Int, _ client: Client, hosts: Int, _ connections: Int, _ dice: inout Dice
  ) -> FilePlan {
    let size = Self.size(client, &dice)
    var versions = [FilePlan.Version(seed: dice.next(), size: size)]
    // Versions of two servers may not agree partially: samples of a mirror could not tell them apart.
    let mayBePatched = hosts == 1 && dice.happens(0.3)
    for _ in 0..<1 + dice.place(in: 3) {
      let other = dice.happens(0.65) ? size : Self.size(client, &dice)
      var version = FilePlan.Version(seed: dice.next(), size: other)
      if mayBePatched, let last = versions.last {
        version.size = min(other, last.size)
        let patches = (0..<1 + dice.place(in: 3)).map { _ in Self.patch(other, &dice) }
        version.patches = patches.map { $0.clamped(to: 0..<version.size) }
      }
      versions.append(version)
    }
    let policy = Self.policy(client, &dice)
    var file = FilePlan(name: "f\(index)", versions: versions, places: [])
    file.digests =
      dice.pick([
        (60, DigestPolicy.none), (9, .always), (9, .whole), (10, .content), (4, .wrong), (4, .wrongParts),
      ]) ?? .none
    if ![.leftover, .repair, .ifChanged].contains(client), dice.happens(0.15) {
      file.demanded = Int(dice.place(in: Int64(versions.count + 1))) - 1
    }
    if client == .mirrored || client == .leftover || client == .repair, dice.happens(0.8) {
      (file.digests, file.demanded) = (.none, nil)
    }
    if client != .leftover {
      file.framing = dice.pick([(8, .length), (1, .chunked(.init())), (1, .close)]) ?? .length
      file.faults = [0, 0.1, 0.3, 0.6][Int(dice.place(in: 4))]
      file.lies = [0, 0.3, 0.6, 0.9][Int(dice.place(in: 4))]
      file.ignoresIfRange = dice.happens(0.2)
    }
    let isSlow = size > 200_000 && dice.happens(client == .mirrored ? 0.9 : 0.6)
    let rate = isSlow ? Int(size) * (2 + Int(dice.place(in: 6))) / (client == .mirrored ? 16 : 4) : nil
    for host in 0..<hosts {
      var place = PlacePlan(validators: policy, rate: rate)
      // A lagging mirror lags behind the first server.
      place.first = file.places.first.map { dice.happens(0.2) ? 0 : $0.first } ?? (dice.happens(0.5) ? 0 : 1)
      if client != .leftover {
        let times = dice.pick([(5, 0), (3, 1), (2, 2)]) ?? 0
        place.changes = Set((0..<times).map { _ in 1 + Int(dice.place(in: 6)) })
        place.changesBetween = dice.happens(0.3)
      }
      if client == .redirected, dice.happens(0.2) { place.owner = "h\(host)" }
      if client == .mirrored, host > 0 { Self.mirror(&place, host, &dice) }
      file.places.append(place)
    }
    return file
  }

  /// A mirror has different validators, or none, and is faster.
  private static func mirror(_ place: inout PlacePlan, _ host: Int, _ dice: inout Dice) {
    place.validators =
      dice.pick([
        (4, .none), (2, .weak), (2, .sameSecond), (2, .dateless), (2, .date), (2, .strong), (1, .kept), (1, .weakKept),
      ]) ?? .none
    if dice.happens(0.6) { place.owner = "h\(host)" }
    place.rate = dice.happens(0.5) ? nil : place.rate
    // Three samples are requested first.
    if dice.happens(0.5) { (place.changes, place.changesBetween) = ([3 + Int(dice.place(in: 3))], false) }
  }

  private static func policy(_ client: Client, _ dice: inout Dice) -> ValidatorPolicy {
    if client == .mirrored { return dice.happens(0.8) ? .strong : .date }
    if client == .repair, dice.happens(0.5) { return dice.happens(0.5) ? .kept : .dateKept }
    return dice.pick([
      (22, ValidatorPolicy.strong), (8, .both), (10, .kept), (8, .weak), (6, .weakKept), (8, .none), (10, .date),
      (5, .dateKept), (6, .sameSecond), (4, .dateless), (4, .changing), (4, .sometimes),
    ]) ?? .strong
  }

  private static func size(_ client: Client, _ dice: inout Dice) -> Int64 {
    let (sample, block) = (Int64(64 << 10), Int64(1 << 20))
    switch client {
    case .mirrored: return 4 * block + dice.place(in: 5 * block)
    case .repair: return block / 2 + dice.place(in: 3 * block)
    case .leftover: return 1 + dice.place(in: 60_000)
    default: break
    }
    let odd = dice.place(in: 3) - 1
    switch dice.place(in: 20) {
    case 0: return dice.place(in: 2)
    case 1, 2: return 1 + dice.place(in: 2000)
    case 3: return sample + odd
    case 4: return 2 * sample + odd
    case 5: return block + odd
    case 6: return 2 * block + odd
    case 7, 8, 9, 10: return 1 + dice.place(in: 300_000)
    case 11, 12, 13, 14: return 200_000 + dice.place(in: block)
    default: return (client.isMany ? block / 2 : block) + dice.place(in: client.isMany ? block : 3 * block)
    }
  }

  private static func patch(_ size: Int64, _ dice: inout Dice) -> Range<Int64> {
    let start = dice.place(in: size)
    return start..<min(size, start + 1 + dice.place(in: 100_000))
  }
}
