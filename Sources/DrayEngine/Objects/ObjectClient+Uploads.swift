// The requests of uploads: begin, upload a part, list, complete, discard.

#if ObjectStores

internal import Crypto
public import DrayCore

extension ObjectClient {
  /// Begins an upload, and finds out which checksum the server supports.
  func begin(
    _ key: String, _ description: ObjectDescription, plan: UploadPlan, pass: WriteFence.Pass? = nil,
    isStopped: @escaping @Sendable () -> Bool
  ) async throws(ObjectError) -> ObjectUpload {
    while true {
      let wanted = checksum
      do throws(ObjectError) {
        let call = S3Call.begin(key, description, checksum: wanted)
        let answer = try await send(call, retries: Retries(repeats: true), pass: pass, isStopped: isStopped)
        guard let id = document(answer)?.value("UploadId"), !id.isEmpty else {
          throw .other(unreadable(key, "its answer names no upload"))
        }
        let kept = answer.head.first("x-amz-checksum-algorithm")
        // A server that does not name the checksum in its answer does not support it.
        let algorithm = wanted.flatMap { kept?.uppercased() == S3Checksum.name($0) ? $0 : nil }
        if let wanted { note(wanted, isRepeated: algorithm != nil) }
        var upload = ObjectUpload(key: key, id: id, plan: plan, algorithm: algorithm)
        // For a composite checksum, do not send a checksum of the whole object, which the server would refuse.
        if answer.head.first("x-amz-checksum-type")?.uppercased() == "COMPOSITE" { upload.isComposite = true }
        return upload
      } catch {
        guard let wanted, ObjectClient.mayMeanChecksum(error) else { throw error }
        drop(wanted)
      }
    }
  }

  static func mayMeanChecksum(_ error: ObjectError) -> Bool {
    guard case .refused(let refusal) = error else { return false }
    return refusal.meaning == .notImplemented
      || refusal.status == 400 && ["", "InvalidRequest", "InvalidArgument"].contains(refusal.code)
  }

  func upload(
    _ buffer: PartBuffer, _ number: Int, of upload: ObjectUpload, pass: WriteFence.Pass? = nil,
    isStopped: @escaping @Sendable () -> Bool
  ) async throws(ObjectError) -> ObjectUpload.Part {
    let (fields, sum) = ObjectClient.check(.buffer(buffer), upload.algorithm)
    let call = S3Call.part(upload.key, upload: upload.id, number: number, fields)
    let answer = try await send(call, .buffer(buffer), pass: pass, isStopped: isStopped)
    guard let etag = answer.head.first("etag").map(ObjectTag.bare), !etag.isEmpty else {
      throw .other(unreadable(upload.key, "it confirmed a part without an ETag"))
    }
    let echo = upload.algorithm.flatMap { S3Checksum.field($0) }.flatMap { answer.head.first($0) }
    // If the server does not repeat the checksum, it may not have checked it. In that case, check the ETag.
    guard echo.map({ $0 == sum }) ?? ObjectClient.fits(.buffer(buffer), etag, answer.head) else {
      throw .other(
        Failure(
          .integrity, path(upload.key), "the server has other bytes than were sent (its checksum differs)",
          advice: "\(.run) sends them again", recovery: .retry))
    }
    return ObjectUpload.Part(
      number: number, size: Int64(buffer.count), etag: etag, checksum: echo)
  }

  /// Whether an ETag that looks like an MD5 is the MD5 of the body. It must be, unless the server encrypts with a key
  /// of the key management service.
  private static func fits(_ body: CallBody, _ etag: String, _ head: ResponseHead) -> Bool {
    let isEncrypted = head.first("x-amz-server-side-encryption")?.hasPrefix("aws:kms") ?? false
    guard !isEncrypted, let stated = ObjectTag.md5(etag) else { return true }
    return body.withBytes { bytes in
      var function = Insecure.MD5()
      function.update(bufferPointer: bytes)
      return Array(function.finalize()) == stated
    }
  }

  /// Returns the header fields by which a server checks a body, and the checksum in base64.
  static func check(_ body: CallBody, _ algorithm: DigestAlgorithm?) -> ([HeaderField], String) {
    body.withBytes { bytes in
      if let algorithm, let name = S3Checksum.field(algorithm) {
        var digest = RunningDigest([algorithm])
        digest.update(bytes)
        let sum = digest.values.first?.base64 ?? ""
        return ([HeaderField(name, sum)], sum)
      }
      var function = Insecure.MD5()
      function.update(bufferPointer: bytes)
      let sum = DigestValue(.md5, bytes: Array(function.finalize())).base64
      return ([HeaderField("Content-MD5", sum)], sum)
    }
  }

  package func parts(_ upload: ObjectUpload) async throws(Failure) -> [ObjectUpload.Part]? {
    do throws(ObjectError) { return try await listed(upload) } catch { throw failure(error, upload.key) }
  }

  /// Returns the confirmed parts; `nil` if the server does not have the upload.
  func listed(_ upload: ObjectUpload) async throws(ObjectError) -> [ObjectUpload.Part]? {
    var (parts, marker): ([ObjectUpload.Part], Int?) = ([], nil)
    do throws(ObjectError) {
      repeat {
        let answer = try await send(S3Call.parts(upload.key, upload: upload.id, after: marker))
        guard let page = document(answer).flatMap({ S3PartPage($0, upload.algorithm) }) else {
          throw .other(unreadable(upload.key, "its list of parts cannot be read"))
        }
        parts += page.parts
        // Stop at a list that does not advance or has empty pages, because reading it would never end.
        guard !page.parts.isEmpty, page.next.map({ $0 > marker ?? 0 }) ?? true else { break }
        marker = page.next
      } while marker != nil && parts.count <= UploadPlan.mostParts
    } catch {
      if error.meaning == .noUpload { return nil }
      throw error
    }
    return parts
  }

  /// Makes the server join the parts into the object. The request is not repeated if its answer is lost.
  /// - Returns: The ETag of the object.
  func complete(
    _ upload: ObjectUpload, whole: String?, _ condition: S3Condition, pass: WriteFence.Pass? = nil
  ) async throws(ObjectError) -> String {
    let answer = try await send(S3Call.complete(upload, whole: whole, condition: condition), pass: pass)
    guard let document = document(answer), let etag = document.value("ETag") else {
      throw .lost(unreadable(upload.key, "its answer to the end of the upload cannot be read"))
    }
    return ObjectTag.bare(etag)
  }

  /// Discards an upload; a missing one is not an error.
  public func abort(_ key: String, upload id: String) async throws(Failure) {
    try await abort(key, upload: id, pass: nil)
  }

  /// Discards an upload for work that may have begun earlier, with the pass of that work.
  func abort(_ key: String, upload id: String, pass: WriteFence.Pass?) async throws(Failure) {
    let pass = pass ?? tools.fence?.pass
    do throws(ObjectError) {
      var hasParts = false
      // Try several times: a part that was being sent during the first try may arrive after it.
      for _ in 0..<3 {
        _ = try await send(S3Call.abort(key, upload: id), pass: pass)
        guard let left = try await listed(ObjectUpload(key: key, id: id, plan: .unknownLength)) else { return }
        hasParts = !left.isEmpty
      }
      // Some servers still list a discarded upload, but without parts.
      guard hasParts else { return }
      throw .other(
        Failure(
          .status, path(key), "the server still has the upload after it was discarded",
          advice: "\(.clean) tries it again", recovery: .keep))
    } catch {
      // The upload may still exist if the bucket is missing, or if a 404 has another reason: it may be at another
      // server.
      if case .refused(let refusal) = error, refusal.endsUpload { return }
      throw failure(error, key)
    }
  }

  /// Returns the unfinished uploads of keys with a prefix, including those that other programs began.
  package func uploads(prefix: String) async throws(Failure) -> [ListedUpload] {
    var (all, marker): ([ListedUpload], (key: String, id: String)?) = ([], nil)
    do throws(ObjectError) {
      repeat {
        let answer = try await send(S3Call.uploads(prefix: prefix, after: marker))
        guard let page = document(answer).flatMap({ S3UploadPage($0) }) else {
          throw .other(unreadable(prefix, "its list of uploads cannot be read"))
        }
        all += page.uploads
        let next = page.nextKey.map { (key: $0, id: page.nextID ?? "") }
        if page.uploads.isEmpty { break }
        if let next, let marker, next == marker { break }
        marker = next
      } while marker != nil && all.count < ObjectClient.mostUploads
    } catch {
      throw failure(error, prefix)
    }
    return all
  }

  /// The maximum number of uploads in a list (P13).
  private static let mostUploads = 100_000

  func unreadable(_ key: String, _ what: String) -> Failure {
    Failure(.protocolViolation, path(key), what, advice: "check \(.endpoint)", recovery: .retry)
  }
}

#endif
