// Writes bodies to files of their own, in blocks, so that the length is known before anything is sent and memory stays
// the same whatever their length.

public import DrayCore
internal import DrayEngine
internal import Foundation

/// A body that was spooled for jobs that are about to be added. Its file is private and locked, so that `dray clean`
/// leaves it alone; it goes with the last copy of this value, as every job gets a name of its own for it.
public struct SpooledBody: Sendable {
  /// The body.
  public let body: RequestBody
  private let file: SpoolFile

  init(_ body: RequestBody, _ file: SpoolFile) {
    self.body = body
    self.file = file
  }
}

extension DownloadManager {
  /// Spools a body into the state directory, durably.
  /// - Throws: kind `usage` for JSON or a property list that is none; kind `file` for what cannot be read or written.
  public func spool(_ source: RequestBodySource) async throws(Failure) -> SpooledBody {
    try home.createBodies()
    return try await BodySpool.write(source, to: Job.join(home.bodiesPath, BodySpool.newName()), isDurable: true)
  }

  /// Spools a body for a fetch without a job, into the directory for temporary files.
  /// - Throws: as ``spool(_:)``.
  public static func spoolTemporarily(_ source: RequestBodySource) async throws(Failure) -> SpooledBody {
    let name = "dray." + BodySpool.newName()
    return try await BodySpool.write(source, to: Job.join(NSTemporaryDirectory(), name), isDurable: false)
  }
}

/// Spools bodies.
enum BodySpool {
  private static let queue = BlockingQueue("dray.bodies")

  /// The name of a new body.
  static func newName() -> String { "\(UUID().uuidString).body" }

  static func write(
    _ source: RequestBodySource, to path: String, isDurable: Bool
  ) async throws(Failure) -> SpooledBody {
    let (pieces, contentType) = try source.laidOut()
    let file = try SpoolFile(path: path)
    for piece in pieces {
      if case .stream(let blocks) = piece.content {
        try await take(blocks, piece.filter, into: file)
      } else {
        try await queue.run { () throws(Failure) in try file.take(piece) }
      }
    }
    if isDurable { try await queue.run { () throws(Failure) in try file.sync() } }
    return SpooledBody(RequestBody(path: path, length: file.length, contentType: contentType), file)
  }

  private static func take(
    _ blocks: AsyncThrowingStream<[UInt8], any Error>, _ filter: BodyFilter, into file: SpoolFile
  ) async throws(Failure) {
    do {
      for try await block in blocks {
        try await queue.run { () throws(Failure) in
          try block.span.bytes.withUnsafeBytes { (bytes) throws(Failure) in try file.take(bytes, filter) }
        }
      }
    } catch {
      throw error as? Failure ?? Failure(.other, "the body of the request", "its source failed: \(error)")
    }
  }
}
