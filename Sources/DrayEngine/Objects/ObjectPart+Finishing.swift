// The end of a part: fixes the name and the identity of the object, and gathers the data for its publish.

#if ObjectStores

internal import Crypto
internal import DrayCore
internal import Synchronization
internal import Threads

extension ObjectPart {
  /// The data for the publish of a complete part.
  struct Closing: Sendable {
    /// The upload with all its parts; `nil` if one request creates the object.
    var upload: ObjectUpload?
    /// The bytes of an object that is created without an upload.
    var body: CallBody
    var size: Int64
    /// The ETag that the object must get, if it is known in advance.
    var etag: String?
    /// The checksum of the whole object in base64, if the server keeps one.
    var whole: String?
    var description: ObjectDescription
    /// The known checksums and the known digest of the content.
    var content: (sums: BlockSums?, digest: DigestValue?)
    var algorithms: [DigestAlgorithm]
    var judge: (@Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?)?
  }

  func willBe(_ name: String, _ description: ObjectDescription) {
    state.withLock { $0.target = (name, description) }
    memory.limit(memoryNumber, to: description.options.uploadMemory ?? ObjectOptions.usualMemory)
    work()
  }

  func willHold(_ sums: BlockSums?, _ digest: DigestValue?) { state.withLock { $0.content = (sums, digest) } }

  /// Does nothing, because the object's metadata contains the URL.
  func recordOrigin(_ url: String) -> String? { nil }

  var publishedIdentity: FileIdentity? { state.withLock { $0.published } }

  func finish(
    size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?
  ) throws(Failure) -> FileIdentity {
    try state.withLock { state throws(Failure) in
      if let failure = state.failure { throw failure }
      state.length = size
      if state.plan == nil { state.plan = UploadPlan(length: size) ?? UploadPlan.unknownLength }
      let count = state.plan?.count(of: size) ?? 1
      let isWhole =
        state.isSingle
        ? size == 0 || state.cells[1]?.filled.contains(0..<size) ?? false
        : (1...count).allSatisfy { number in
          state.cells[number]?.part.map { $0.size == Int64(state.range(of: number).count) } ?? false
        }
      guard isWhole else {
        throw Failure(
          .integrity, home.path, "the upload does not have all \(size) bytes",
          advice: "\(.retry) fetches it again", recovery: .retry)
      }
      return identity(state)
    }
  }

  /// Returns the identity, as far as it follows from the known bytes.
  func identity(_ state: State) -> FileIdentity {
    let end = state.cells.compactMap { number, cell -> Int64? in
      let lower = state.range(of: number).lowerBound
      return cell.part.map { lower + $0.size } ?? cell.filled.segments.last?.upperBound
    }.max()
    return ObjectFacts.identity(
      bucket: home.object.bucket, etag: ObjectPart.etag(of: state) ?? state.upload?.id ?? name,
      size: state.length ?? end ?? 0, modified: state.upload?.modified ?? state.target?.description.modified)
  }

  /// Returns the ETag; `nil` if it cannot be known in advance.
  private static func etag(of state: State) -> String? {
    guard state.isSingle else { return ObjectTag.ofParts(state.parts.map(\.etag), md5: md5) }
    guard let length = state.length else { return nil }
    let bytes = state.cells[1]?.buffer?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    var function = Insecure.MD5()
    function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(length))))
    return DigestValue(.md5, bytes: Array(function.finalize())).hex
  }

  private static func md5(_ bytes: [UInt8]) -> String {
    DigestValue(.md5, bytes: Array(Insecure.MD5.hash(data: bytes))).hex
  }

  /// Returns the data for the publish; throws if the part is not finished.
  func closing() throws(Failure) -> Closing {
    try state.withLock { state throws(Failure) in
      guard let size = state.length, !state.isClosed else { throw .moved(home.path) }
      var body = CallBody.bytes([])
      var upload: ObjectUpload?
      if state.isSingle {
        if let buffer = state.cells[1]?.buffer {
          buffer.cut(to: Int(size))
          body = .buffer(buffer)
        }
      } else {
        upload = state.upload
        upload?.parts = state.parts
        guard upload != nil else { throw .moved(home.path) }
      }
      return Closing(
        upload: upload, body: body, size: size, etag: ObjectPart.etag(of: state),
        whole: upload.flatMap(ObjectPart.whole), description: state.target?.description ?? ObjectDescription(),
        content: state.content, algorithms: state.algorithms, judge: state.judge)
    }
  }

  private static func whole(_ upload: ObjectUpload) -> String? {
    guard let algorithm = upload.algorithm, S3Checksum.isOfWhole(algorithm), upload.isComposite != true else {
      return nil
    }
    var pieces: [(checksum: [UInt8], count: Int64)] = []
    for part in upload.parts {
      guard let text = part.checksum, let value = try? DigestValue.parse("\(algorithm.rawValue)=\(text)") else {
        return nil
      }
      pieces.append((value.bytes, part.size))
    }
    return CyclicChecksum.joined(pieces).map { DigestValue(algorithm, bytes: $0).base64 }
  }

  /// Ends a discarded part, so that it begins and sends nothing more. If an upload is just beginning, waits briefly for
  /// it; the upload will then discard itself.
  func close() async {
    stop()
    let end = SteadyClock.now() + ObjectPart.beginning
    while state.withLock({ $0.begins > 0 }), SteadyClock.now() < end {
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
    }
  }

  /// The seconds to wait for the beginning of an upload that is no longer wanted.
  private static let beginning = 5.0

  /// Records that the object exists. It may still have to be proved.
  func made(_ identity: FileIdentity) { state.withLock { $0.published = identity } }

  func published(_ identity: FileIdentity, proved: SourcedDigest?) {
    state.withLock { state in
      (state.isClosed, state.published, state.proved) = (true, identity, proved)
      for cell in state.cells.values { release(cell) }
      state.cells = [:]
    }
  }
}

#endif
