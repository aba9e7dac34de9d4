// Publishes a finished part as an object. The publish succeeds only once the server confirms that the object is the
// uploaded one.

package import DrayCore
internal import Threads

extension ObjectDestination {
  /// A publish that is under way.
  private struct Attempt {
    let name: String
    let key: String
    let closing: ObjectPart.Closing
    var condition: S3Condition
    var notes: [String] = []
    /// The ETag that the server gave in its answer.
    var answered: String?
  }

  /// The note on a server without conditional writes.
  private static let unguarded =
    "this object store has no conditional writes: the key was checked before and after the upload, not by it"

  package func publishing(
    _ part: any PartStorage, as name: String, _ replacement: Replacement
  ) async throws(Failure) -> PublishOutcome {
    guard let part = part as? ObjectPart, part.home.place.path == place.path else { throw .moved(part.path) }
    forget(name)
    let closing = try part.closing()
    let key = object.key(of: name)
    if let upload = closing.upload, upload.key != key {
      // An object cannot be renamed.
      if case .nothing = replacement, try await client.facts(key) != nil { return .taken }
      let isTaken = try await client.facts(upload.key) != nil
      throw .uploadNameLost(client.path(upload.key), isTaken ? .taken : .changed)
    }
    var attempt = Attempt(name: name, key: key, closing: closing, condition: .none)
    let facts: ObjectFacts?
    do throws(ObjectError) {
      guard let condition = try await condition(replacement, &attempt) else { return .taken }
      attempt.condition = condition
      guard let made = try await make(&attempt) else { return .taken }
      facts = made
    } catch {
      throw client.failure(error, key)
    }
    guard let facts else { throw .notTheUpload(client.path(key), "it is gone") }
    if let difference = difference(facts, attempt) { throw .notTheUpload(client.path(key), difference) }
    let proved = try await prove(facts, attempt)
    part.published(facts.identity(bucket: object.bucket), proved: proved)
    forget(name)
    // The upload has ended. Uploads of earlier attempts are no longer needed.
    if let upload = closing.upload { try? await tools.ledger.end(upload.id, key: key, at: place.path) }
    if closing.upload != nil { try? await discardUploads(of: part.name) }
    return .done(notes: attempt.notes)
  }

  // MARK: The condition

  /// Returns the condition of the request that makes the object; `nil` if the key is taken.
  private func condition(_ replacement: Replacement, _ attempt: inout Attempt) async throws(ObjectError) -> S3Condition?
  {
    switch replacement {
    case .anything: return S3Condition.none
    case .nothing:
      if client.honoursConditions == true { return .isFree }
      // The server may ignore the condition, or not know it.
      if let facts = try await client.head(attempt.key) {
        // The object may be the result of this upload: the answer to an earlier request may have been lost.
        guard difference(facts, attempt) == nil else { return nil }
      }
      return unlessUnknown(.isFree, &attempt)
    case .files(let mayBe):
      guard let facts = try await client.head(attempt.key), mayBe(facts.identity(bucket: object.bucket)) else {
        return nil
      }
      return unlessUnknown(.has(etag: facts.etag), &attempt)
    }
  }

  /// Returns the condition, or none if the server does not know conditions.
  private func unlessUnknown(_ condition: S3Condition, _ attempt: inout Attempt) -> S3Condition {
    guard client.honoursConditions == false else { return condition }
    if !attempt.notes.contains(ObjectDestination.unguarded) { attempt.notes.append(ObjectDestination.unguarded) }
    return .none
  }

  // MARK: The object

  /// Makes the object. If the answer is lost, looks at the object before repeating the request.
  /// - Returns: The properties of the object as the server states them; `nil` if the key is taken.
  private func make(_ attempt: inout Attempt) async throws(ObjectError) -> ObjectFacts?? {
    let end = SteadyClock.now() + tools.patience
    var tries = 0
    while true {
      let error: ObjectError
      do throws(ObjectError) {
        attempt.answered = try await request(attempt)
        return .some(try await client.head(attempt.key))
      } catch let caught {
        error = caught
      }
      if error.meaning == .notImplemented, attempt.condition != .none {
        client.noteConditions(honoured: false)
        attempt.condition = unlessUnknown(attempt.condition, &attempt)
        continue
      }
      if error.meaning == .conditionFailed { client.noteConditions(honoured: true) }
      guard error.isUndecided || [.conditionFailed, .noUpload].contains(error.meaning) else { throw error }
      // The request, or an earlier one, may have made the object although its answer says nothing of it.
      let facts = try await client.head(attempt.key)
      if let facts, difference(facts, attempt) == nil { return .some(facts) }
      if error.meaning == .conditionFailed { return nil }
      if error.meaning == .noUpload { throw error }
      if let upload = attempt.closing.upload, try await client.listed(upload) == nil { throw .refused(.uploadIsGone) }
      let wait = min(8, 0.1 * Double(1 << min(tries, 8)))
      tries += 1
      guard SteadyClock.now() + wait < end else { throw error }
      do { try await Task.sleep(for: .seconds(wait)) } catch { throw .other(.stopped(client.path(attempt.key))) }
    }
  }

  /// Makes the request, once.
  /// - Returns: The ETag of the answer, if it has one.
  private func request(_ attempt: Attempt) async throws(ObjectError) -> String? {
    if let upload = attempt.closing.upload {
      return try await client.complete(upload, whole: attempt.closing.whole, attempt.condition)
    }
    return try await client.put(attempt.key, attempt.closing.body, attempt.closing.description, attempt.condition)
  }

  // MARK: The proof

  /// Returns how an object differs from the upload, as a clause; `nil` if it is the upload's.
  private func difference(_ facts: ObjectFacts, _ attempt: Attempt) -> String? {
    let closing = attempt.closing
    guard facts.size == closing.size else { return "it has \(facts.size) bytes, expected \(closing.size)" }
    if let whole = closing.whole, let algorithm = closing.upload?.algorithm,
      let found = facts.digests.first(where: { $0.algorithm == algorithm }), found.base64 != whole
    {
      return "its checksum differs"
    }
    let isOfThisKind =
      closing.upload == nil ? ObjectTag.md5(facts.etag) != nil : ObjectTag.isOfParts(facts.etag)
    if let etag = closing.etag, isOfThisKind, facts.hasPlainTag {
      return ObjectTag.areEqual(etag, facts.etag) ? nil : "its ETag is \(TextSafety.escaped(facts.etag)), not \(etag)"
    }
    // A tag that cannot be computed must equal the tag of the answer.
    let odd = "its ETag is \(TextSafety.escaped(facts.etag)), which is not that of the upload"
    if let answered = attempt.answered { return ObjectTag.areEqual(answered, facts.etag) ? nil : odd }
    if closing.whole != nil, facts.digests.contains(where: { $0.base64 == closing.whole }) { return nil }
    return odd
  }

  /// Reads the object back, if its digests could not be computed before.
  private func prove(_ facts: ObjectFacts, _ attempt: Attempt) async throws(Failure) -> SourcedDigest? {
    guard let judge = attempt.closing.judge, !attempt.closing.algorithms.isEmpty else { return nil }
    let found = try await ObjectBytes(attempt.key, facts, client).digests(attempt.closing.algorithms)
    do throws(Failure) { return try judge(found) } catch {
      // The target must not keep bytes that are known to be wrong (P1).
      try? await client.delete(attempt.key, etag: facts.etag)
      throw error.recovering(.retry)
    }
  }
}

extension S3Refusal {
  /// The refusal of an upload that does not exist.
  fileprivate static let uploadIsGone = S3Refusal(status: 404, code: "NoSuchUpload")
}

extension Failure {
  /// The reason why an object cannot have the key under which its upload began.
  fileprivate enum UploadNameLoss: String {
    case taken = "its name was taken while it was uploaded"
    case changed = "it was uploaded under another name than it is to have now"
  }

  /// Returns the failure of a publish that needs another key than its upload has.
  fileprivate static func uploadNameLost(_ path: String, _ loss: UploadNameLoss) -> Failure {
    Failure(.file, path, loss.rawValue, advice: "\(.retry) uploads it under another name", recovery: .retry)
  }

  /// Whether an object cannot have the key of its upload: the next attempt uploads the file under another one.
  package var isUploadNameLost: Bool { kind == .file && UploadNameLoss(rawValue: reason) != nil }

  /// Returns the failure of a publish after which the key has another object.
  fileprivate static func notTheUpload(_ path: String, _ difference: String) -> Failure {
    Failure(
      .integrity, path, "the object there is not the one that was uploaded: \(difference)",
      advice: "another program may have written it; \(.retry) fetches it again under \(.onConflict)")
  }
}
