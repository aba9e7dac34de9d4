// How a rate limit's bytes are shared out. Pure: the time is an argument. It is used under its limiter's lock.

/// Time converted to bytes, in even parts for all consumers (max-min fairness): first between groups, the connections
/// of one job, then within them.
///
/// A part is active as long as it asks. What it gets and does not take goes to the others after a few hundredths of a
/// second; if none waits, a tenth of a second's bytes are kept at most. Nothing is done for each part as time
/// passes: all read off one clock of bytes what they have got.
struct RateLedger {
  /// Those who share what one gets.
  final class Group {
    fileprivate var members = 0
    fileprivate var active = 0
    /// Bytes that each active member has got since the beginning.
    fileprivate var clock = 0.0
    /// The ledger's clock up to which they got them.
    fileprivate var mark = 0.0
  }

  /// One who takes bytes.
  final class Part {
    fileprivate let group: Group
    fileprivate let key: ObjectIdentifier?
    /// Bytes that it got and has not taken.
    fileprivate var credit = 0.0
    fileprivate var mark = 0.0
    fileprivate var askedAt = 0.0
    fileprivate var isActive = false
    fileprivate var isWaiting = false
    /// Under which limit it asked last.
    fileprivate var generation = 0

    fileprivate init(_ group: Group, _ key: ObjectIdentifier?) { (self.group, self.key) = (group, key) }
  }

  /// Seconds of time whose bytes are kept while none waits, so that a short pause of a sender costs no rate: by each
  /// part, and beside them.
  private static let slack = 0.05
  /// Seconds after which a thread that was held up is given no more.
  private static let longestGap = 1.0
  /// Seconds without a request after which a part is inactive, and between two searches for such.
  private static let (idle, review) = (0.05, 0.01)
  /// Who waits is to get so many bytes at once, if that takes no shorter and no longer than these seconds.
  private static let quantum = 16_384.0
  private static let waits = 0.01...0.05
  /// What is worth waiting for beyond that, and for how long.
  private static let (least, longestWait) = (512.0, 0.1)

  /// The limit; `nil` is none.
  private(set) var bytesPerSecond: Double?
  /// Counts the changes of the limit.
  private(set) var generation = 0
  /// How many wait.
  private var waiting = 0
  /// Up to when time has turned into bytes; `nil` before the first.
  private var time: Double?
  private var reviewedAt = 0.0
  /// Unassigned bytes.
  private var spare = 0.0
  /// Groups with an active member.
  private var activeGroups = 0
  /// Bytes that each of them has got since the beginning.
  private var clock = 0.0
  private var active: [Part] = []
  private var groups: [ObjectIdentifier: Group] = [:]

  init(bytesPerSecond: Double?) { self.bytesPerSecond = bytesPerSecond }

  /// Sets another limit. Waits that were due under the old one neither remain nor give an advantage.
  mutating func set(_ rate: Double?) {
    guard rate != bytesPerSecond else { return }
    bytesPerSecond = rate
    generation += 1
    (time, spare) = (nil, 0)
  }

  /// Adds one who takes bytes, in the group of this key, or in one of its own.
  mutating func join(_ key: ObjectIdentifier?) -> Part {
    let group = key.flatMap { groups[$0] } ?? Group()
    if let key { groups[key] = group }
    group.members += 1
    return Part(group, key)
  }

  /// Removes one.
  mutating func leave(_ part: Part) {
    setWaiting(part, false)
    deactivate(part)
    part.group.members -= 1
    if part.group.members == 0, let key = part.key { groups[key] = nil }
  }

  /// Whether a part asked under the limit that is in force.
  func isCurrent(_ part: Part) -> Bool { part.generation == generation }

  /// Consumes up to `count` bytes for a part.
  /// - Returns: how many may be taken now, and, if not all, how many seconds to wait before asking for more.
  mutating func take(_ count: Int, for part: Part, now: Double) -> (count: Int, wait: Double) {
    guard let rate = bytesPerSecond, rate > 0, count > 0 else {
      part.generation = generation
      setWaiting(part, false)
      return (count, 0)
    }
    advance(to: now, rate)
    update(part)
    if !isCurrent(part) { (part.generation, part.credit) = (generation, 0) }
    activate(part, now)
    let taken = Int(min(Double(count), part.credit + spare))
    let fromSpare = max(0, Double(taken) - part.credit)
    part.credit -= Double(taken) - fromSpare
    spare -= fromSpare
    setWaiting(part, taken < count)
    return (taken, taken < count ? wait(for: count - taken, part, rate) : 0)
  }

  /// Gives back bytes that were taken, and could not be used.
  mutating func giveBack(_ count: Int, of part: Part) { part.credit += Double(count) }

  /// Bytes a second that a part gets, if all that are active take theirs.
  private func rate(of part: Part, _ rate: Double) -> Double {
    rate / Double(max(1, activeGroups)) / Double(max(1, part.group.active))
  }

  private func wait(for count: Int, _ part: Part, _ rate: Double) -> Double {
    let own = self.rate(of: part, rate)
    let wanted = (min(Double(count), RateLedger.quantum) - part.credit) / own
    let most = min(max(RateLedger.waits.upperBound, RateLedger.least / own), RateLedger.longestWait)
    return min(max(wanted, RateLedger.waits.lowerBound), most)
  }

  // MARK: Time

  private mutating func advance(to now: Double, _ rate: Double) {
    let bytes = rate * min(max(0, now - (time ?? now)), RateLedger.longestGap)
    time = max(now, time ?? now)
    if activeGroups > 0 { clock += bytes / Double(activeGroups) } else { keep(bytes, rate) }
    if abs(now - reviewedAt) >= RateLedger.review {
      reviewedAt = now
      review(now, rate)
    }
  }

  /// Withdraws unused bytes from their holders.
  private mutating func review(_ now: Double, _ rate: Double) {
    var unused = 0.0
    for part in active where !part.isWaiting {
      update(part)
      let isIdle = now - part.askedAt > RateLedger.idle
      let most = isIdle ? 0 : self.rate(of: part, rate) * RateLedger.slack
      if part.credit > most {
        unused += part.credit - most
        part.credit = most
      }
      if isIdle { deactivate(part) }
    }
    guard unused > 0 else { return }
    if waiting > 0 { clock += unused / Double(activeGroups) } else { keep(unused, rate) }
  }

  private mutating func keep(_ bytes: Double, _ rate: Double) { spare = min(spare + bytes, rate * RateLedger.slack) }

  /// Adds the bytes due to a part since the last time.
  private func update(_ part: Part) {
    let group = part.group
    guard group.active > 0 else { return }
    group.clock += (clock - group.mark) / Double(group.active)
    group.mark = clock
    guard part.isActive else { return }
    part.credit += group.clock - part.mark
    part.mark = group.clock
  }

  // MARK: Who takes

  private mutating func activate(_ part: Part, _ now: Double) {
    part.askedAt = now
    guard !part.isActive else { return }
    update(part)
    if part.group.active == 0 {
      part.group.mark = clock
      activeGroups += 1
    }
    part.isActive = true
    part.mark = part.group.clock
    part.group.active += 1
    active.append(part)
  }

  private mutating func deactivate(_ part: Part) {
    guard part.isActive else { return }
    update(part)
    part.isActive = false
    part.group.active -= 1
    if part.group.active == 0 { activeGroups -= 1 }
    active.removeAll { $0 === part }
  }

  private mutating func setWaiting(_ part: Part, _ waits: Bool) {
    guard waits != part.isWaiting else { return }
    part.isWaiting = waits
    waiting += waits ? 1 : -1
  }
}
