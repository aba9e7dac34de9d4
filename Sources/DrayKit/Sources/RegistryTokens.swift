// The tokens of registries in this process. They are in memory only, and added to each request of a job.

internal import DrayCore
internal import DrayDocuments
internal import Synchronization
internal import Threads

/// Keeps the proofs that registries have accepted. Several jobs of one image lose their token at the same moment, and
/// then need only one new token.
final class RegistryTokens: Sendable {
  /// A value of `Authorization`.
  struct Proof: Sendable, Equatable {
    var value: String
    /// In seconds.
    var life: Double
  }

  /// The repository and the accounts that a proof is for.
  struct Key: Hashable {
    var origin: Origin
    var repository: String
    /// Whether the accounts of this machine may have been used. Clients that may not use them get no such proof.
    var hasAccounts: Bool

    /// - Parameter url: The URL of a manifest or a blob; the key is `nil` for any other.
    init?(_ url: RequestURL, hasAccounts: Bool) {
      let parts = url.path.split(separator: "/")
      guard parts.count > 3, parts[0] == "v2", ["blobs", "manifests"].contains(parts[parts.count - 2]) else {
        return nil
      }
      (origin, repository) = (url.origin, parts[1..<(parts.count - 2)].joined(separator: "/"))
      self.hasAccounts = hasAccounts
    }
  }

  private struct Kept {
    var proof: Proof
    var begin: Double

    var end: Double { begin + proof.life }
  }

  private struct State {
    var kept: [Key: Kept] = [:]
    var running: [Key: Task<Result<Proof, Failure>, Never>] = [:]
  }

  static let shared = RegistryTokens()

  /// The maximum number of proofs that are kept. A service that runs for months sees any number of repositories.
  static let most = 1000

  private let state = Mutex(State())
  private let now: @Sendable () -> Double

  /// - Parameter now: The time in seconds.
  init(now: @escaping @Sendable () -> Double = SteadyClock.now) { self.now = now }

  /// Returns the proof for a repository while it is accepted; `nil` if there is none.
  /// - Parameter share: The share of its lifetime that must be left.
  func proof(for key: Key, leaving share: Double = 0) -> Proof? {
    guard let known = state.withLock({ $0.kept[key] }), now() < known.begin + known.proof.life * (1 - share) else {
      return nil
    }
    return known.proof
  }

  /// Returns a new proof, because the registry refused `refused` or wants one. Calls at the same time get the same one.
  func renew(
    _ key: Key, refused: Proof?, _ make: @escaping @Sendable () async throws(Failure) -> Proof
  ) async throws(Failure) -> Proof {
    if let known = proof(for: key, leaving: 0.5), known != refused { return known }
    let task = state.withLock { state in
      if let task = state.running[key] { return task }
      let task = Task { () async -> Result<Proof, Failure> in
        let result: Result<Proof, Failure>
        do throws(Failure) { result = .success(try await make()) } catch { result = .failure(error) }
        self.end(key, result)
        return result
      }
      (state.running[key], state.kept[key]) = (task, nil)
      return task
    }
    return try await task.value.get()
  }

  private func end(_ key: Key, _ result: Result<Proof, Failure>) {
    let time = now()
    state.withLock { state in
      state.running[key] = nil
      guard case .success(let proof) = result else { return }
      state.kept = state.kept.filter { time < $0.value.end }
      if state.kept.count >= RegistryTokens.most, let oldest = state.kept.min(by: { $0.value.begin < $1.value.begin }) {
        state.kept[oldest.key] = nil
      }
      state.kept[key] = Kept(proof: proof, begin: time)
    }
  }

  /// The number of proofs that are kept.
  var count: Int { state.withLock { $0.kept.count } }

  /// Returns the header fields for a URL of a registry.
  func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] {
    guard let key = Key(url, hasAccounts: places.hasRegistryFiles), let proof = proof(for: key) else { return [] }
    return [HeaderField("Authorization", proof.value)]
  }
}
