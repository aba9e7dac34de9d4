// The tokens of registries in this process. Several jobs of one image lose their tokens at the same moment, and then
// need only one new token.

internal import DrayCore
internal import Threads

/// Keeps the proofs that registries have accepted, each until half of its life is over. A proof that is handed to a job
/// should last for a while.
actor RegistryTokens {
  /// A value of `Authorization`.
  struct Proof: Sendable, Equatable {
    var value: String
    /// In seconds.
    var life: Double
  }

  static let shared = RegistryTokens()

  private struct Kept {
    var proof: Proof
    var end: Double
  }

  private var kept: [String: Kept] = [:]
  private var running: [String: Task<Result<Proof, Failure>, Never>] = [:]
  private let now: @Sendable () -> Double

  /// - Parameter now: The time in seconds.
  init(now: @escaping @Sendable () -> Double = SteadyClock.now) { self.now = now }

  /// Returns the proof for a repository; `nil` if there is none that lasts.
  func proof(for repository: String) -> Proof? {
    guard let known = kept[repository], now() < known.end else { return nil }
    return known.proof
  }

  /// Returns a new proof, because the registry refused `refused` or wants one. Calls at the same time get the same one.
  func renew(
    _ repository: String, refused: Proof?, _ make: @escaping @Sendable () async throws(Failure) -> Proof
  ) async throws(Failure) -> Proof {
    if let known = proof(for: repository), known != refused { return known }
    if let task = running[repository] { return try await task.value.get() }
    kept[repository] = nil
    let task = Task { () async -> Result<Proof, Failure> in
      do throws(Failure) { return .success(try await make()) } catch { return .failure(error) }
    }
    running[repository] = task
    let result = await task.value
    running[repository] = nil
    if case .success(let proof) = result { kept[repository] = Kept(proof: proof, end: now() + proof.life / 2) }
    return try result.get()
  }
}
