// The tools for requests to object stores: the engine, keys, a reader of XML, and a durable list of uploads.

#if ObjectStores

public import DrayCore

/// A durable list of the uploads that were begun and have not ended. If an upload is missing from the list, it cannot
/// be cleaned up later.
package protocol UploadLedger: Sendable {
  /// Records durably that an upload begins.
  func begin(_ mark: UploadMark) async throws(Failure)

  /// Records that an upload is complete or discarded.
  func end(_ mark: UploadMark) async throws(Failure)

  /// Returns the uploads of a part; with `nil`, those of all parts.
  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark]
}

/// The tools that all object destinations of a process share.
public struct ObjectTools: Sendable {
  public var engine: @Sendable () async throws(Failure) -> Engine
  /// The durable list of unfinished uploads.
  package var ledger: any UploadLedger
  /// Parses XML; `nil` if the bytes are not XML.
  package var reader: @Sendable ([UInt8]) -> S3Element?
  /// Reads files and returns an access with the present keys of a profile or of the environment.
  public var keys: Keys
  /// Stops the writes of a runner whose lease may be over.
  package var fence: WriteFence?
  /// The seconds for which a server that is busy or does not answer is tried again.
  public var patience: Double = 60

  /// - Parameter isExpired: Whether the server refused the previous keys because they had expired.
  public typealias Keys = @Sendable (ObjectAccess?, _ isExpired: Bool) throws(Failure) -> ObjectAccess

  package init(
    engine: @escaping @Sendable () async throws(Failure) -> Engine, ledger: any UploadLedger,
    reader: @escaping @Sendable ([UInt8]) -> S3Element?,
    keys: @escaping Keys
  ) {
    (self.engine, self.ledger, self.reader, self.keys) = (engine, ledger, reader, keys)
  }

  /// Runs `body`, and blocks the current thread until it has ended. Must not be called on a thread of Swift's
  /// concurrency runtime.
  static func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let box = Waited<Value>()
    Task.detached {
      do throws(Failure) { box.end(.success(try await body())) } catch { box.end(.failure(error)) }
    }
    return try box.wait().get()
  }
}

#endif
