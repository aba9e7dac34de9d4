// Spools bodies to files, block by block. Therefore, the length is known before the first byte is sent, and a large
// body needs no more memory than a small one.

public import DrayCore
internal import DrayEngine
internal import FoundationEssentials
internal import Threads

/// A body that was spooled for jobs that are about to be added. The spooled file is private. It is locked, so that
/// `dray clean` does not remove it. The spooled file is deleted with the last copy of this value; by then, each job has
/// its own link to it.
public struct SpooledBody: Sendable {
  /// The body.
  public let body: RequestBody
  private let file: SpoolFile

  init(_ body: RequestBody, _ file: SpoolFile) {
    self.body = body
    self.file = file
  }
}

enum BodySpool {
  private static let executor = BlockingExecutor("dray.bodies")

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
        try await executor.run { () throws(Failure) in try file.append(piece) }
      }
    }
    if isDurable { try await executor.run { () throws(Failure) in try file.sync() } }
    return SpooledBody(RequestBody(path: path, length: file.length, contentType: contentType), file)
  }

  private static func take(
    _ blocks: AsyncThrowingStream<[UInt8], any Error>, _ filter: BodyFilter, into file: SpoolFile
  ) async throws(Failure) {
    do {
      for try await block in blocks {
        try await executor.run { () throws(Failure) in
          try block.span.bytes.withUnsafeBytes { (bytes) throws(Failure) in try file.append(bytes, filter) }
        }
      }
    } catch {
      throw error as? Failure ?? Failure(.other, "the body of the request", "its source failed: \(error)")
    }
  }
}
