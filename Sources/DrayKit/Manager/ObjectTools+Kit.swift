// Connects object stores with the rest of the library: the manager's engine, the job store, the XML reader, and keys.

internal import DrayDocuments
internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Synchronization

/// The manager's engine, which starts with its first use.
final class EngineSource: Sendable {
  private struct State {
    /// Weak, because only the manager and its runs keep the engine alive; a run may outlast the manager.
    weak var hold: EngineHold?
    var make: (@Sendable () async throws(Failure) -> EngineHold)?
  }

  private let state = Mutex(State())

  /// Sets how to get the engine.
  func set(_ make: @escaping @Sendable () async throws(Failure) -> EngineHold) { state.withLock { $0.make = make } }

  func engine() async throws(Failure) -> Engine {
    let (known, make) = state.withLock { ($0.hold, $0.make) }
    if let known { return known.engine }
    guard let make else { throw EngineSource.hasEnded }
    let hold = try await make()
    state.withLock { $0.hold = hold }
    return hold.engine
  }

  /// The failure after the end of the manager.
  static let hasEnded = Failure(
    .other, "libcurl", "the downloads have ended", advice: "try again", recovery: .keep)
}

#if ObjectStores

/// The list of uploads, kept in a job store.
private struct StoredUploads: UploadLedger {
  let store: any UploadKeeping

  func begin(_ mark: UploadMark) async throws(Failure) { try await store.beginUpload(mark) }

  func end(_ mark: UploadMark) async throws(Failure) { try await store.endUpload(mark) }

  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark] { try await store.uploads(ofPart: name) }
}

extension ObjectTools {
  init(_ source: EngineSource, _ store: any UploadKeeping) {
    self.init(
      engine: { () async throws(Failure) in try await source.engine() }, ledger: StoredUploads(store: store),
      reader: { ObjectDocument.parse($0) },
      keys: { (access, isExpired) throws(Failure) in try S3Access.current(access, isExpired: isExpired) })
    let variable = ProcessInfo.processInfo.environment["DRAY_S3_PATIENCE"]
    if let seconds = variable.flatMap({ Double($0) }), seconds >= 0 { patience = seconds }
  }
}

#endif
