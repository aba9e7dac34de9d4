// The list of hosts that asked for https, as all transfers of an engine share it.

public import DrayCore
internal import Synchronization

/// Knows which hosts are visited over https only, and learns of more.
public final class TransportSecurity: Sendable {
  private let list: Mutex<HSTSList>
  private let remember: @Sendable (HSTSEntry) -> Void

  /// Creates one.
  /// - Parameters:
  ///   - entries: what is known.
  ///   - remember: receives new entries; called on the loop's thread, so it must return at once.
  public init(_ entries: [HSTSEntry] = [], remember: @escaping @Sendable (HSTSEntry) -> Void = { _ in }) {
    list = Mutex(HSTSList(entries))
    self.remember = remember
  }

  /// The URL to ask in place of this one.
  func upgraded(_ url: RequestURL) -> RequestURL {
    guard url.scheme == "http" else { return url }
    return list.withLock { $0.upgraded(url, now: WallClock.now()) }
  }

  /// Adds the policy of an answer. Without a checked certificate it is ignored (RFC 6797 §8.1).
  func learn(from head: ResponseHead, of url: RequestURL, isInsecure: Bool) {
    guard !isInsecure, let policy = HSTSPolicy.offered(by: head, from: url) else { return }
    let news = list.withLock { $0.learn(policy, host: url.host, now: WallClock.now()) }
    if let news { remember(news) }
  }
}
