// The collaborators of requests to object stores: the engine, keys, a reader of XML, and a durable list of uploads.

public import DrayCore

/// A durable list of the uploads that were begun and have not ended. An upload that is missing from the list cannot be
/// cleaned up later.
public protocol UploadLedger: Sendable {
  /// Durable on return.
  func begin(_ mark: UploadMark) async throws(Failure)

  /// The upload is complete or discarded.
  func end(_ mark: UploadMark) async throws(Failure)

  /// `nil` for all parts.
  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark]
}

/// Shared by all object destinations of a process.
public struct ObjectTools: Sendable {
  public var engine: @Sendable () async throws(Failure) -> Engine
  /// Uploads that have not ended.
  public var ledger: any UploadLedger
  /// `nil` if the bytes are no XML.
  public var reader: @Sendable ([UInt8]) -> S3Element?
  /// Returns an access with the current keys of a profile or of the environment. Reads files.
  public var keys: Keys
  /// Stops the writes of a runner whose lease may be over.
  package var fence: WriteFence?
  /// Seconds in which a server that is busy or does not answer is retried.
  public var patience: Double = 60

  /// - Parameter isExpired: Whether the server refused the previous keys because they have expired.
  public typealias Keys = @Sendable (ObjectAccess?, _ isExpired: Bool) throws(Failure) -> ObjectAccess

  public init(
    engine: @escaping @Sendable () async throws(Failure) -> Engine, ledger: any UploadLedger,
    reader: @escaping @Sendable ([UInt8]) -> S3Element?,
    keys: @escaping Keys
  ) {
    (self.engine, self.ledger, self.reader, self.keys) = (engine, ledger, reader, keys)
  }

  /// Runs `body`, and blocks the current thread until `body` is done. Must not be called on a thread of Swift's
  /// concurrency.
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
