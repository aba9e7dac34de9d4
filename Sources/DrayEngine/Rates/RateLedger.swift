// Divides the bytes that a rate limit allows. The ledger has no clock: callers pass the time. The limiter's lock
// protects this value.

/// Bytes become available as time passes. They are divided evenly (max-min fairness): first between groups, which are
/// jobs, then between the connections of each group.
///
/// A part is one connection's share. It is active while it asks for bytes. If a part does not take its granted bytes,
/// other parts get them after a few hundredths of a second. While no part waits, unused bytes are kept for at most a
/// tenth of a second. All parts read their grants from a common clock, which counts bytes. The passing of time
/// therefore costs no work for each part.
struct RateLedger {
  final class Group {
    fileprivate var members = 0
    fileprivate var active = 0
    /// The number of bytes that each active member was granted since the start.
    fileprivate var clock = 0.0
    /// The reading of the ledger's clock at the last grant.
    fileprivate var mark = 0.0
  }

  final class Part {
    fileprivate let group: Group
    fileprivate let key: ObjectIdentifier?
    /// The bytes that were granted but not taken.
    fileprivate var credit = 0.0
    fileprivate var mark = 0.0
    fileprivate var askedAt = 0.0
    fileprivate var isActive = false
    fileprivate var isWaiting = false
    /// The number of changes of the limit at the last request.
    fileprivate var generation = 0

    fileprivate init(_ group: Group, _ key: ObjectIdentifier?) { (self.group, self.key) = (group, key) }
  }

  /// While no part waits, the ledger and each part keep the bytes of this many seconds, so that a short pause of the
  /// sender does not lower its rate.
  private static let slack = 0.05
  /// After a longer gap than this many seconds, a delayed thread gets no bytes for the rest of the gap.
  private static let longestGap = 1.0
  /// A part is inactive after the first number of seconds without a request. Searches for such parts are the second
  /// number of seconds apart.
  private static let (idle, review) = (0.05, 0.01)
  /// Release about this many bytes per wake-up, within these bounds in seconds.
  private static let quantum = 16_384.0
  private static let waits = 0.01...0.05
  /// The minimum number of bytes worth a wake-up, and the maximum wait for them in seconds.
  private static let (least, longestWait) = (512.0, 0.1)

  /// The limit; `nil` for none.
  private(set) var bytesPerSecond: Double?
  /// The bytes taken since the start, with or without a limit, minus those given back.
  private(set) var taken: Int64 = 0
  /// The number of bytes that may still be taken; `nil` for any number.
  private var budget: Int64?
  private(set) var isSpent = false
  /// The number of changes of the limit.
  private(set) var generation = 0
  private var waiting = 0
  /// The time up to which bytes were granted; `nil` before the first grant.
  private var time: Double?
  private var reviewedAt = 0.0
  /// The bytes that were not granted to any group.
  private var spare = 0.0
  private var activeGroups = 0
  /// The number of bytes that each active group was granted since the start.
  private var clock = 0.0
  private var active: [Part] = []
  private var groups: [ObjectIdentifier: Group] = [:]

  init(bytesPerSecond: Double?, budget: Int64? = nil) { (self.bytesPerSecond, self.budget) = (bytesPerSecond, budget) }

  var isLimited: Bool { bytesPerSecond != nil || budget != nil }

  /// Changes the limit. Parts that waited under the old limit ask again; they get no advantage from having waited.
  mutating func set(_ rate: Double?) {
    guard rate != bytesPerSecond else { return }
    bytesPerSecond = rate
    generation += 1
    (time, spare) = (nil, 0)
  }

  /// Adds a part to the group with this key; with `nil`, the part gets a separate group.
  mutating func join(_ key: ObjectIdentifier?) -> Part {
    let group = key.flatMap { groups[$0] } ?? Group()
    if let key { groups[key] = group }
    group.members += 1
    return Part(group, key)
  }

  mutating func leave(_ part: Part) {
    setWaiting(part, false)
    deactivate(part)
    part.group.members -= 1
    if part.group.members == 0, let key = part.key { groups[key] = nil }
  }

  func isCurrent(_ part: Part) -> Bool { part.generation == generation }

  /// Returns how many bytes may be taken now; if not all, also the seconds to wait before asking again.
  mutating func take(_ count: Int, for part: Part, now: Double) -> (count: Int, wait: Double) {
    guard let budget else { return takeAtRate(count, for: part, now: now) }
    let allowed = Int(min(Int64(count), max(0, budget)))
    var taken = takeAtRate(allowed, for: part, now: now)
    self.budget = budget - Int64(taken.count)
    if allowed < count {
      isSpent = true
      taken.wait = max(taken.wait, RateLedger.longestWait)
    }
    return taken
  }

  private mutating func takeAtRate(_ count: Int, for part: Part, now: Double) -> (count: Int, wait: Double) {
    guard let rate = bytesPerSecond, rate > 0, count > 0 else {
      part.generation = generation
      setWaiting(part, false)
      self.taken += Int64(count)
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
    self.taken += Int64(taken)
    setWaiting(part, taken < count)
    return (taken, taken < count ? wait(for: count - taken, part, rate) : 0)
  }

  /// Takes back bytes that were taken but could not be used.
  mutating func giveBack(_ count: Int, of part: Part) {
    part.credit += Double(count)
    taken -= Int64(count)
    if let budget { self.budget = budget + Int64(count) }
  }

  /// Returns the rate of a part in bytes per second, if all active parts take what they are granted.
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

  /// Withdraws granted bytes from parts that do not use them.
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

  /// Grants a part the bytes for the time since its last update.
  private func update(_ part: Part) {
    let group = part.group
    guard group.active > 0 else { return }
    group.clock += (clock - group.mark) / Double(group.active)
    group.mark = clock
    guard part.isActive else { return }
    part.credit += group.clock - part.mark
    part.mark = group.clock
  }

  // MARK: Activity

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
