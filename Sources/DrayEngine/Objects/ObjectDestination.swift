// A prefix of a bucket as a destination.

#if ObjectStores

package import DrayCore
internal import Synchronization
internal import Threads

/// The objects whose keys begin with a certain prefix.
package final class ObjectDestination: Destination {
  package let place: DirectoryPlace
  let object: ObjectPlace
  let client: ObjectClient
  let memory: UploadMemory
  let tools: ObjectTools
  private let parts: OpenParts
  /// Recent answers about objects. They are kept because a single decision looks up the same object several times.
  private let recent = Mutex<[String: (facts: ObjectFacts?, at: Double)]>([:])

  /// The seconds for which such an answer is used, except by a publish, which always asks the server.
  private static let trust = 1.0

  init(
    _ place: DirectoryPlace, _ object: ObjectPlace, _ client: ObjectClient, _ memory: UploadMemory, _ parts: OpenParts
  ) {
    (self.place, self.object, self.client, self.memory, self.parts) = (place, object, client, memory, parts)
    tools = client.tools
  }

  package var volume: Volume {
    Volume(id: ObjectTag.hash("\(place.access?.signature.endpoint?.string ?? "")|\(object.bucket)"))
  }

  package var isInPlace: Bool { true }
  package var room: Int64? { nil }

  // MARK: Targets

  package func facts(of name: String) throws(Failure) -> ObjectFacts? {
    if let (facts, at) = recent.withLock({ $0[name] }), SteadyClock.now() - at < ObjectDestination.trust {
      return facts
    }
    let facts = try ObjectTools.wait { [client, key = object.key(of: name)] () async throws(Failure) in
      try await client.facts(key, patience: ObjectDestination.patience)
    }
    keep(facts, name)
    return facts
  }

  /// The seconds for which a thread waits for a server that does not answer.
  private static let patience = 5.0

  package func prefetch(_ name: String) async throws(Failure) {
    keep(try await client.facts(object.key(of: name)), name)
  }

  private func keep(_ facts: ObjectFacts?, _ name: String) {
    recent.withLock { recent in
      if recent.count > 1000 { recent = [:] }
      recent[name] = (facts, SteadyClock.now())
    }
  }

  func forget(_ name: String) { recent.withLock { $0[name] = nil } }

  package func occupant(of name: String) throws(Failure) -> Occupant? { try facts(of: name).map { _ in .file } }

  package func identity(of name: String) throws(Failure) -> FileIdentity? {
    try facts(of: name)?.identity(bucket: object.bucket)
  }

  package func checkName(_ name: String) throws(Failure) {
    do throws(ObjectPlaceError) { try ObjectPlace.checkKey(object.key(of: name)) } catch {
      throw Failure(.file, PathText.join(path, TextSafety.escaped(name)), error.reason, advice: error.advice)
    }
  }

  package func openTarget(_ name: String) throws(Failure) -> (any StoredBytes)? {
    forget(name)
    return try facts(of: name).map { ObjectBytes(object.key(of: name), $0, client) }
  }

  // MARK: Parts

  package func createPart(_ name: String) throws(Failure) -> any PartStorage {
    parts.added(ObjectPart(name, in: self))
  }

  /// Returns `nil`: without its record, an upload cannot be continued.
  package func openPart(_ name: String) throws(Failure) -> (any PartStorage)? { nil }

  package func openPart(_ name: String, recorded: Checkpoint) throws(Failure) -> (any PartStorage)? {
    guard var upload = recorded.upload, !upload.parts.isEmpty, upload.key.hasPrefix(object.prefix) else { return nil }
    let listed = try ObjectTools.wait { [self, upload] () async throws(Failure) -> [ObjectUpload.Part]? in
      guard try await isHere(upload, of: name) else { return nil }
      return try await client.parts(upload)
    }
    guard let listed else { return nil }
    upload.parts = upload.confirmed(by: listed)
    return parts.added(ObjectPart(name, in: self, continuing: upload, length: recorded.size))
  }

  /// Whether an upload was begun in this bucket and at this server, according to its mark. The job may have moved to
  /// another server since then.
  private func isHere(_ upload: ObjectUpload, of name: String) async throws(Failure) -> Bool {
    for mark in try await tools.ledger.uploads(ofPart: name) where mark.id == upload.id && mark.key == upload.key {
      if try isHere(mark) { return true }
    }
    return try await tools.ledger.uploads(ofPart: name).allSatisfy { $0.id != upload.id || $0.key != upload.key }
  }

  private func isHere(_ mark: UploadMark) throws(Failure) -> Bool {
    guard ObjectPlace(mark.place)?.bucket == object.bucket else { return false }
    let server = try client.server()
    return mark.signature == nil || mark.server == server
  }

  package func discardPart(_ name: String) throws(Failure) { try discardPart(name, isAway: nil) }

  /// - Parameter away: The failure of the server if it is known not to answer; in that case, no request is made.
  func discardPart(_ name: String, isAway away: Failure?) throws(Failure) {
    let ended = parts.taken(name)
    try ObjectTools.wait { [self] () async throws(Failure) in
      // Wait for an upload that is just beginning, because it has no mark yet.
      for part in ended { await part.close() }
      try await discardUploads(of: name, isAway: away)
    }
  }

  /// Discards the uploads that were begun for a part. Each is discarded on its own server, because the job may have had
  /// another server at that time. If an upload cannot be discarded now, its mark stays for `clean`.
  /// - Parameter away: The failure of this server if it is known not to answer; in that case, no request to it is made.
  /// - Throws: The failure of this server.
  func discardUploads(
    of name: String, pass: WriteFence.Pass? = nil, isAway away: Failure? = nil
  ) async throws(Failure) {
    let pass = pass ?? tools.fence?.pass
    let end = SteadyClock.now() + ObjectDestination.patience
    for mark in try await tools.ledger.uploads(ofPart: name) {
      let isHere = try isHere(mark)
      do throws(Failure) {
        if isHere, let away { throw away.of(client.path(mark.key)) }
        let home = isHere ? client : try elsewhere(mark)
        let patient = home.ending { [isEnding = client.isEnding] in isEnding() || SteadyClock.now() > end }
        try await patient.abort(mark.key, upload: mark.id, pass: pass)
        try await tools.ledger.end(mark)
      } catch {
        if isHere { throw error }
      }
    }
  }

  /// Returns the client for another bucket or server, where an upload was begun.
  private func elsewhere(_ mark: UploadMark) throws(Failure) -> ObjectClient {
    let access = try mark.access(of: place) { [tools] () throws(Failure) in try tools.keys(nil, false) }
    return ObjectClient(bucket: ObjectPlace(mark.place)?.bucket ?? object.bucket, access, tools)
  }

  /// Records an upload before its first part is sent.
  func note(_ upload: ObjectUpload, of name: String) async throws(Failure) {
    try await tools.ledger.begin(mark(upload, of: name))
  }

  func mark(_ upload: ObjectUpload, of name: String) -> UploadMark {
    var signature = client.signature
    signature?.sessionToken = nil
    return UploadMark(
      place: place.path, signature: signature, key: upload.key, id: upload.id, part: name, startedAt: WallClock.now())
  }

  /// Discards an upload. If that fails, the mark stays, so that `clean` will find the upload.
  func discard(_ upload: ObjectUpload, pass: WriteFence.Pass?) async {
    do throws(Failure) {
      try await client.abort(upload.key, upload: upload.id, pass: pass)
      try await tools.ledger.end(mark(upload, of: ""))
    } catch {}
  }

  // MARK: Publishing

  /// If the object exists, its upload has ended.
  package func settle(
    _ partName: String, as name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(Failure) -> Bool {
    try? discardPart(partName)
    return true
  }

  package func syncNames() throws(Failure) {}

  package func syncVolume() throws(Failure) {}
}

#endif
