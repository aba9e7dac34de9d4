// Grows the number of jobs: at the start of a list by what the first files show, and then in levels.

extension JobGrowth {
  mutating func judge(rate: Double, _ now: Double) {
    guard isGrowing else {
      guard current < ceiling else { return }
      // The line may have become free.
      (levels, isGrowing) = ([Level(jobs: current, carriers: carriers, rate: rate)], true)
      return grow(now)
    }
    levels[levels.count - 1].rate = rate
    guard let best = levels.max(by: { $0.rate ?? 0 < $1.rate ?? 0 }), levels.count > 1,
      !isWorthwhile(levels[levels.count - 1], after: levels[levels.count - 2], now)
    else { return grow(now) }
    if let enough = levels.first(where: { $0.rate != nil && !isWorthwhile(best, after: $0, now) }) {
      current = enough.jobs
      spread(over: enough.carriers)
    }
    endGrowth(now)
  }

  /// Whether the additional jobs of a level bring enough. Levels without a measurement count as worthwhile.
  private func isWorthwhile(_ level: Level, after other: Level, _ now: Double) -> Bool {
    guard let rate = level.rate, let before = other.rate else { return true }
    let jobs = Double(inUse(level.jobs, now)) / Double(inUse(other.jobs, now)) - 1
    let more = max(jobs, 0) + Double(level.carriers) / Double(other.carriers) - 1
    return rate > before * (1 + JobGrowth.worthwhile * more)
  }

  /// How many of these jobs can run: no more than the limit of the only origin.
  private func inUse(_ jobs: Int, _ now: Double) -> Int {
    guard isOnly, let only else { return jobs }
    return min(jobs, limit(of: only, now: now))
  }

  private mutating func endGrowth(_ now: Double) {
    isGrowing = false
    guard isOnly, let only, refused[only] == nil else { return }
    learned[only] = inUse(current, now)
  }

  /// Uses all streams of the first connection of a long list, and opens the connections that shorten the whole.
  mutating func openStreams(_ now: Double) {
    guard isGrowing, levels.count == 1, isOnly, let only, multiplexed.contains(only) else { return }
    let before = current
    current = min(JobGrowth.streams, ceiling)
    if maySpread(now), let shortest,
      let opening = ConnectionOpening(
        remaining: max(1, lastSize) * Int64(clamping: expected), most: mostCarriers - 1, roundTrip: shortest / 3,
        setUp: 3)
    {
      spread(over: 1 + opening.more)
    }
    levels.append(Level(jobs: current, carriers: carriers))
    older = before
  }

  /// At the start of a long list: raises the number with each end, up to as many jobs as the line completes in the time
  /// of the fastest one.
  /// - Returns: Whether the number is still being raised.
  mutating func approach(_ now: Double) -> Bool {
    if let target {
      current = min(current + 1, target)
      if current == target { endApproach(now) }
      return true
    }
    guard isGrowing, levels.count == 1, current > JobGrowth.few, levels[0].rate == nil, let since else { return false }
    // The last of a level may have lost a packet.
    guard 4 * ended >= 3 * current else { return true }
    let completed = shortest.map { Double(ended) / max(now - since, 1e-6) * $0 } ?? .infinity
    let most = min(JobGrowth.connections, ceiling)
    let wanted = max(current, Int(min(completed, Double(most))))
    older = current
    (target, current) = (wanted, min(2 * current, wanted))
    if current == wanted { endApproach(now) }
    return true
  }

  private mutating func endApproach(_ now: Double) {
    target = nil
    levels.append(Level(jobs: current))
    older = inUse(current, now)
    (since, ended) = (now, 0)
  }

  mutating func grow(_ now: Double) {
    let before = inUse(current, now)
    if current >= JobGrowth.streams, maySpread(now) {
      spread(over: min(carriers * JobGrowth.wideStep, mostCarriers))
    } else {
      guard current < ceiling, before == current else { return endGrowth(now) }
      let factor = current <= JobGrowth.few ? JobGrowth.wideStep : JobGrowth.step
      // Streams cost the server no connection.
      current = min(max(current * factor, multiplexed.isEmpty ? 0 : JobGrowth.streams), ceiling)
    }
    levels.append(Level(jobs: current, carriers: carriers))
    older = before
  }

  /// Whether the streams of the only origin may be spread over more connections. Not after the origin refused jobs.
  private func maySpread(_ now: Double) -> Bool {
    guard isOnly, let only, multiplexed.contains(only), refused[only] == nil else { return false }
    return carriers < mostCarriers
  }

  private var mostCarriers: Int { min(perOrigin ?? .max, JobGrowth.streamConnections) }

  mutating func spread(over connections: Int) {
    unopened = max(0, connections - carriers)
    carriers = connections
  }
}
