// The requests for whole objects: create, look up, read, delete.

#if ObjectStores

package import DrayCore
internal import Threads

extension ObjectClient {
  /// Creates an object. If the answer is lost, the request is not repeated: the caller must look up the object first.
  /// - Returns: The ETag that the server gave.
  func put(
    _ key: String, _ body: CallBody, _ description: ObjectDescription, _ condition: S3Condition,
    pass: WriteFence.Pass? = nil
  ) async throws(ObjectError) -> String? {
    while true {
      let wanted = checksum
      let (fields, sum) = ObjectClient.check(body, wanted)
      do throws(ObjectError) {
        let answer = try await send(
          S3Call.put(key, description, fields, condition: condition), body, retries: Retries(repeats: false), pass: pass
        )
        if let wanted, let name = S3Checksum.field(wanted) {
          let echo = answer.head.first(name)
          note(wanted, isRepeated: echo == sum)
        }
        return answer.head.first("etag").map(ObjectTag.bare)
      } catch {
        guard let wanted, ObjectClient.mayMeanChecksum(error), condition == .none || error.meaning != .notImplemented
        else { throw error }
        drop(wanted)
      }
    }
  }

  /// Finds out whether the server honours conditions, by sending the object again with `If-None-Match: *` and a wrong
  /// MD5. A server that honours conditions answers 412. A server that ignores conditions but checks the MD5 refuses the
  /// MD5. A server that checks neither stores the same bytes and properties a second time.
  /// - Returns: The new ETag, if the server has stored the object a second time.
  func learnConditions(
    _ key: String, _ body: CallBody, _ description: ObjectDescription, pass: WriteFence.Pass? = nil
  ) async -> String? {
    let wrong = HeaderField("Content-MD5", DigestValue(.md5, bytes: [UInt8](repeating: 0, count: 16)).base64)
    do throws(ObjectError) {
      let call = S3Call.put(key, description, [wrong], condition: .isFree)
      let answer = try await send(call, body, retries: .none, pass: pass)
      noteConditions(honoured: false)
      return answer.head.first("etag").map(ObjectTag.bare)
    } catch {
      switch error.meaning {
      case .conditionFailed: noteConditions(honoured: true)
      case .notImplemented: noteConditions(honoured: false)
      // The server checks the body first, or its answer does not show what it checks. In both cases, look up the key
      // before each object is created.
      default: break
      }
      return nil
    }
  }

  /// Returns the facts about an object; `nil` if the object does not exist.
  func head(_ key: String, patience: Double? = nil) async throws(ObjectError) -> ObjectFacts? {
    do throws(ObjectError) {
      let answer = try await send(S3Call.head(key), retries: Retries(patience: patience), longest: 1 << 20)
      guard let facts = ObjectFacts(answer.head) else {
        throw .other(unreadable(key, "its answer lacks the object's length"))
      }
      return facts
    } catch {
      if error.meaning == .noObject { return nil }
      throw await explained(error, key)
    }
  }

  /// Completes the error of a HEAD request with the server's code. A GET request finds the code, because answers to
  /// HEAD have none.
  private func explained(_ error: ObjectError, _ key: String) async -> ObjectError {
    guard case .refused(let refusal) = error, refusal.code.isEmpty, [400, 403].contains(refusal.status) else {
      return error
    }
    do throws(ObjectError) {
      _ = try await send(S3Call.get(key, 0..<1, etag: ""), retries: Retries(patience: 0), longest: 1 << 20)
    } catch {
      if case .refused(let told) = error, told.status == refusal.status, !told.code.isEmpty { return error }
    }
    return error
  }

  /// Returns the facts about an object; `nil` if the object does not exist.
  /// - Parameter patience: The seconds for which a busy server is tried again; `nil` for the default.
  package func facts(_ key: String, patience: Double? = nil) async throws(Failure) -> ObjectFacts? {
    do throws(ObjectError) { return try await head(key, patience: patience) } catch { throw failure(error, key) }
  }

  /// Deletes the object with a key, if it is still `object`. Looks up the object before each request, because the
  /// server may ignore the condition, and because another program may have written the key after a request without a
  /// clear answer.
  func delete(_ key: String, _ object: ObjectFacts, pass: WriteFence.Pass? = nil) async throws(Failure) {
    let end = SteadyClock.now() + tools.patience
    var (fields, tries) = ([HeaderField("If-Match", "\"\(object.etag)\"")], 0)
    do throws(ObjectError) {
      while let found = try await head(key), found.isSame(as: object) {
        let error: ObjectError
        do throws(ObjectError) {
          let call = S3Call("DELETE", key: key, fields: fields)
          _ = try await send(call, retries: .none, pass: pass)
          return
        } catch let caught {
          error = caught
        }
        if [.noObject, .conditionFailed].contains(error.meaning) { return }
        if error.meaning == .notImplemented, !fields.isEmpty {
          fields = []
          continue
        }
        let wait = min(8, 0.1 * Double(1 << min(tries, 8)))
        tries += 1
        guard error.isUndecided, SteadyClock.now() + wait < end, !isEnding() else { throw error }
        do { try await rest(wait) } catch { throw .other(.stopped(path(key))) }
      }
    } catch {
      throw failure(error, key)
    }
  }

  /// Returns bytes of an object; fails if the object has another ETag by now.
  func bytes(_ key: String, _ range: Segment, etag: String) async throws(Failure) -> [UInt8] {
    do throws(ObjectError) {
      let answer = try await send(S3Call.get(key, range, etag: etag), longest: range.count + (1 << 20))
      let from = answer.head.status == 206 ? 0 : Int(range.lowerBound)
      let bytes = answer.bytes.dropFirst(from).prefix(range.count)
      guard bytes.count == range.count else {
        throw .other(
          Failure(
            .protocolViolation, path(key), "it sent \(bytes.count) of \(range.count) requested bytes",
            recovery: .retry))
      }
      return Array(bytes)
    } catch {
      if error.meaning == .conditionFailed {
        throw Failure(
          .integrity, path(key), "the object changed while it was read", advice: "\(.retry) fetches it again")
      }
      throw failure(error, key)
    }
  }
}

#endif
