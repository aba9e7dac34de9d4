// Counts wrong secrets, and decides when the answers to them are delayed.

internal import Posix
internal import WebServer

/// Limits how many wrong secrets of one peer are answered without a delay: ten, and one more every six seconds. The
/// answers to any further wrong secrets are delayed. A right secret is never counted, and its answer is never delayed.
struct SecretAttempts: Sendable {
  /// The number of attempts that are answered without a delay.
  static let burst = 10.0
  /// The number of seconds after which one more attempt is answered without a delay.
  static let interval = 6.0
  /// The maximum number of peers that are remembered: those that tried most recently.
  static let mostPeers = 1024

  private struct Bucket {
    var tries: Double
    var at: Double
  }

  private var buckets: [AttemptKey: Bucket] = [:]

  var count: Int { buckets.count }

  /// Returns the number of seconds until a wrong secret of this peer is answered without a delay; `nil` if that is so
  /// already.
  func wait(_ peer: AttemptKey, now: Double) -> Double? {
    let tries = tries(peer, now: now)
    return tries >= 1 ? nil : (1 - tries) * Self.interval
  }

  mutating func fail(_ peer: AttemptKey, now: Double) {
    let left = max(tries(peer, now: now) - 1, 0)
    buckets[peer] = Bucket(tries: left, at: now)
    if buckets.count > Self.mostPeers { forget(now: now) }
  }

  private func tries(_ peer: AttemptKey, now: Double) -> Double {
    guard let bucket = buckets[peer] else { return Self.burst }
    return min(bucket.tries + (now - bucket.at) / Self.interval, Self.burst)
  }

  /// Forgets half of the peers: those whose attempts are the oldest.
  private mutating func forget(now: Double) {
    let times = buckets.values.map(\.at).sorted()
    let middle = times[times.count / 2]
    buckets = buckets.filter { $0.value.at > middle }
  }
}

/// The peer that attempts are counted for: an IPv4 address, or an IPv6 network of 2⁶⁴ addresses, which belongs to one
/// customer.
struct AttemptKey: Sendable, Hashable {
  private let bytes: [UInt8]

  init(_ peer: WebPeer) {
    switch peer {
    case .local: bytes = []
    case .internet(let address): bytes = address.isV6 ? Array(address.bytes.prefix(8)) : address.bytes
    }
  }

  /// Creates the key for the sender of a request. A trusted proxy adds the address of its client as the last entry of
  /// the field (RFC 7239 §5.2).
  init(_ head: WebRequest, trustsProxy: Bool) {
    let last = head.fields.all("X-Forwarded-For").last?.split(separator: ",").last
    let text = last.map { String(decoding: $0.utf8.trimmingBlanks, as: UTF8.self) }
    guard trustsProxy, head.listenerKind != .outside, let client = text.flatMap({ InternetAddress($0) }) else {
      self.init(head.peer)
      return
    }
    self.init(.internet(client))
  }
}
