// Publishes a finished part as an object. Publishing succeeds only after the server has confirmed that the object is
// the uploaded one.

#if ObjectStores

package import DrayCore
internal import Threads

extension ObjectDestination {
  private struct ObjectPublish {
    let name: String
    let key: String
    let closing: ObjectPart.Closing
    let pass: WriteFence.Pass?
    let replacement: Replacement
    var condition = S3Condition.none
    var isUnguarded = false
    var notes: [String] = []
    var answered: String?
    /// The ETag of an object that was recognized as the upload by its bytes.
    var recognized: String?
    /// The facts about the object, if it already exists: an earlier request created it, but the answer was lost.
    var there: ObjectFacts?
  }

  private static let unguarded =
    "this object store has no conditional writes: the key was checked before and after the upload, not by it"

  package func publish(
    _ part: any PartStorage, as name: String, _ replacement: Replacement
  ) async throws(Failure) -> PublishOutcome {
    guard let part = part as? ObjectPart, part.home.place.path == place.path else { throw .moved(part.path) }
    forget(name)
    let closing = try part.closing()
    let key = object.key(of: name)
    if let upload = closing.upload, upload.key != key {
      // Check the key before the upload is completed, because an object cannot be renamed afterwards.
      if case .nothing = replacement, try await client.facts(key) != nil { return .taken }
      let isTaken = try await client.facts(upload.key) != nil
      throw .uploadNameLost(client.path(upload.key), isTaken ? .taken : .changed)
    }
    var publish = ObjectPublish(name: name, key: key, closing: closing, pass: part.pass, replacement: replacement)
    let facts: ObjectFacts?
    do throws(ObjectError) {
      guard let condition = try await condition(&publish) else { return .taken }
      publish.condition = condition
      if let there = publish.there {
        facts = there
      } else {
        guard let made = try await make(&publish) else { return .taken }
        facts = made
      }
      if let facts, let difference = try await difference(facts, &publish) {
        throw .other(.notTheUpload(client.path(key), difference))
      }
    } catch {
      throw client.failure(error, key)
    }
    guard let facts else { throw .notTheUpload(client.path(key), "it is gone") }
    // From here on the object exists, even if reading it back fails.
    part.made(facts.identity(bucket: object.bucket))
    let proved = try await prove(facts, publish)
    part.published(facts.identity(bucket: object.bucket), proved: proved)
    forget(name)
    // The upload has ended, unless an equal object was found without an answer to the upload: another program may have
    // created that object.
    if let upload = closing.upload, publish.answered != nil {
      try? await tools.ledger.end(mark(upload, of: part.name))
    }
    // Also discard uploads of earlier attempts, even if this attempt needed no upload.
    if !client.isEnding() { try? await discardUploads(of: part.name, pass: part.pass) }
    return .done(notes: publish.notes)
  }

  // MARK: The condition

  /// Returns the condition for creating the object; `nil` if the key is taken.
  private func condition(_ publish: inout ObjectPublish) async throws(ObjectError) -> S3Condition? {
    switch publish.replacement {
    case .anything where publish.closing.isLate:
      return try await whileUnproved(&publish)
    case .anything: return S3Condition.none
    case .nothing:
      // Use the condition only for a PUT: a server may honour conditions of a PUT, but ignore conditions of a request
      // that joins parts.
      if client.honoursConditions == true, publish.closing.upload == nil, !publish.isUnguarded { return .isFree }
      // The server may ignore or not support the condition, so look up the key first.
      if let facts = try await client.head(publish.key) {
        guard try await isThere(facts, &publish) else { return nil }
      }
      return unlessUnknown(.isFree, &publish)
    case .files(let mayBe):
      guard let facts = try await client.head(publish.key) else { return nil }
      guard mayBe(facts.identity(bucket: object.bucket)) else {
        return try await isThere(facts, &publish) ? S3Condition.none : nil
      }
      if publish.closing.isLate { throw .other(.unproved(client.path(publish.key))) }
      return unlessUnknown(.has(etag: facts.etag), &publish)
    }
  }

  /// Returns the condition for creating an object that is proved only afterwards.
  private func whileUnproved(_ publish: inout ObjectPublish) async throws(ObjectError) -> S3Condition {
    var isTaken = false
    if let facts = try await client.head(publish.key) { isTaken = try await !isThere(facts, &publish) }
    guard UploadProof.step(isLate: true, mayReplace: true, isTaken: isTaken) != .startOver else {
      throw .other(.unproved(client.path(publish.key)))
    }
    return unlessUnknown(.isFree, &publish)
  }

  /// Returns the condition; `nil` if the server does not support conditions.
  private func unlessUnknown(_ condition: S3Condition, _ publish: inout ObjectPublish) -> S3Condition {
    guard client.honoursConditions == false || publish.isUnguarded else { return condition }
    if !publish.notes.contains(ObjectDestination.unguarded) { publish.notes.append(ObjectDestination.unguarded) }
    return .none
  }

  /// Whether the object at the key, which is not this upload's, may be replaced.
  private func mayReplace(_ facts: ObjectFacts, _ publish: ObjectPublish) -> Bool {
    switch publish.replacement {
    case .anything: !publish.closing.isLate
    case .nothing: false
    case .files(let mayBe): mayBe(facts.identity(bucket: object.bucket))
    }
  }

  // MARK: The object

  /// Creates the object. If the answer is lost, looks up the key before repeating the request.
  /// - Returns: The properties of the object according to the server; `nil` if the key is taken.
  private func make(_ publish: inout ObjectPublish) async throws(ObjectError) -> ObjectFacts?? {
    let end = SteadyClock.now() + tools.patience
    var tries = 0
    while true {
      let error: ObjectError
      do throws(ObjectError) {
        publish.answered = try await request(publish)
        publish.answered = await learnConditions(publish) ?? publish.answered
        return .some(try await client.head(publish.key))
      } catch let caught {
        error = caught
      }
      if error.meaning == .notImplemented, publish.condition != .none {
        // Record this only after a PUT: a server may support conditions of a PUT, but not those of a request that joins
        // parts.
        if publish.closing.upload == nil { client.noteConditions(honoured: false) }
        publish.isUnguarded = true
        // Without a condition, only another look-up shows whether an object was created since the last one.
        guard let condition = try await condition(&publish) else { return nil }
        publish.condition = condition
        continue
      }
      if error.meaning == .conditionFailed, publish.closing.upload == nil { client.noteConditions(honoured: true) }
      // If the bytes were damaged in transit, send them again, a few times.
      let wasDamaged = error.meaning == .damaged && publish.closing.upload == nil && tries < 3
      guard error.isUndecided || wasDamaged || [.conditionFailed, .noUpload].contains(error.meaning) else {
        throw error
      }
      // If this run is stopped, the next run finds out what happened.
      if client.isEnding() { throw error.isUndecided ? error : .other(.stopped(client.path(publish.key))) }
      // This request or an earlier one may have created the object, although no answer confirms it.
      let facts = try await client.head(publish.key)
      if let facts, try await difference(facts, &publish) == nil { return .some(facts) }
      if error.meaning == .conditionFailed { return nil }
      if error.meaning == .noUpload { throw error }
      // Another program has created an object since the last look-up. Without a condition, repeating the request would
      // replace that object.
      if let facts, !mayReplace(facts, publish) { return nil }
      if let upload = publish.closing.upload, try await client.listed(upload) == nil { throw .refused(.uploadIsGone) }
      let wait = min(8, 0.1 * Double(1 << min(tries, 8)))
      tries += 1
      guard SteadyClock.now() + wait < end, !client.isEnding() else { throw error }
      do { try await client.rest(wait) } catch { throw .other(.stopped(client.path(publish.key))) }
    }
  }

  /// Makes the request without repeating it. Returns the ETag in the answer, if it has one.
  private func request(_ publish: ObjectPublish) async throws(ObjectError) -> String? {
    if let upload = publish.closing.upload {
      return try await client.complete(
        upload, whole: publish.closing.whole, publish.condition, pass: publish.pass)
    }
    return try await client.put(
      publish.key, publish.closing.body, publish.closing.description, publish.condition, pass: publish.pass)
  }

  /// Finds out whether the server honours conditions, if the run creates several small objects.
  /// - Returns: The new ETag, if the server has stored the object a second time.
  private func learnConditions(_ publish: ObjectPublish) async -> String? {
    guard publish.condition == .isFree, publish.closing.upload == nil,
      publish.closing.body.count <= ObjectDestination.mostRepeated, client.mustLearnConditions(), !client.isEnding()
    else { return nil }
    return await client.learnConditions(
      publish.key, publish.closing.body, publish.closing.description, pass: publish.pass)
  }

  /// The maximum size in bytes of an object that is sent a second time for this test.
  private static let mostRepeated = 64 << 10

  // MARK: The proof

  /// Whether the object at the key is this upload's: an earlier request created the object, and its answer was lost. If
  /// so, the publish has nothing left to do.
  private func isThere(_ facts: ObjectFacts, _ publish: inout ObjectPublish) async throws(ObjectError) -> Bool {
    guard try await difference(facts, &publish) == nil else { return false }
    publish.there = facts
    return true
  }

  /// Returns the difference between an object and the upload, as a clause; `nil` if the object is the upload's. An
  /// object whose ETag proves nothing is read back.
  private func difference(_ facts: ObjectFacts, _ publish: inout ObjectPublish) async throws(ObjectError) -> String? {
    let closing = publish.closing
    let whole = closing.upload?.algorithm.flatMap { algorithm in closing.whole.map { (algorithm, $0) } }
    let match = ObjectMatch(
      size: closing.size, isOfParts: closing.upload != nil, etag: closing.etag, whole: whole,
      answered: publish.answered)
    switch match.verdict(on: facts) {
    case .same: return nil
    case .other(let difference): return difference
    case .unproved(let difference):
      if publish.recognized == facts.etag { return nil }
      do throws(Failure) {
        let bytes = ObjectBytes(publish.key, facts, client)
        let isEqual =
          closing.upload == nil
          ? try await bytes.holds(closing.body)
          : try await bytes.holds(closing.content.sums, closing.content.digest)
        guard isEqual else { return difference }
      } catch {
        // Another program wrote the key during the comparison.
        guard error.kind == .integrity else { throw .other(error) }
        return difference
      }
      publish.recognized = facts.etag
      return nil
    }
  }

  /// Reads the object back if its digests could not be computed during the upload.
  private func prove(_ facts: ObjectFacts, _ publish: ObjectPublish) async throws(Failure) -> SourcedDigest? {
    guard publish.closing.isLate, let judge = publish.closing.judge else { return nil }
    return try await prove(
      facts, publish.name, publish.closing.algorithms, pass: publish.pass, isStopped: client.isEnding, judge)
  }

  private func prove(
    _ facts: ObjectFacts, _ name: String, _ algorithms: [DigestAlgorithm], pass: WriteFence.Pass? = nil,
    isStopped: @Sendable () -> Bool, _ judge: @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) async throws(Failure) -> SourcedDigest? {
    let key = object.key(of: name)
    let found = try await ObjectBytes(key, facts, client).digests(algorithms, isStopped: isStopped)
    do throws(Failure) { return try judge(found) } catch {
      // The target must not keep bytes that are known to be wrong (P1).
      let wrong = error
      do throws(Failure) { try await client.delete(key, facts, pass: pass) } catch {
        if error.isStoreAway { throw error }
        throw .leftWrong(client.path(key), wrong.reason, because: error)
      }
      forget(name)
      throw wrong.recovering(.retry)
    }
  }

  package func proveTarget(
    _ name: String, _ identity: FileIdentity, _ algorithms: [DigestAlgorithm],
    isStopped: @escaping @Sendable () -> Bool,
    _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) async throws(Failure) -> SourcedDigest? {
    let key = object.key(of: name)
    guard let facts = try await client.facts(key) else { throw .notTheUpload(client.path(key), "it is gone") }
    guard facts.identity(bucket: object.bucket).isUnchanged(since: identity) else {
      throw .notTheUpload(client.path(key), "it was replaced")
    }
    return try await prove(facts, name, algorithms, isStopped: isStopped, judge)
  }
}

extension ObjectPart.Closing {
  fileprivate var isLate: Bool { judge != nil && !algorithms.isEmpty }
}

extension S3Refusal {
  fileprivate static let uploadIsGone = S3Refusal(status: 404, code: "NoSuchUpload")
}

#endif
