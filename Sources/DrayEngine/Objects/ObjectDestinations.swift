// Opens destinations of any kind. Places in buckets are opened here; another opener is called for all other places.

#if ObjectStores

public import DrayCore
internal import Synchronization
internal import Threads

/// Opens places in buckets; they share connections, memory, and knowledge about servers.
public final class ObjectDestinations: Destinations {
  private struct ClientKey: Hashable {
    var bucket: String
    var access: ObjectAccess?
  }

  private let others: any Destinations
  private let tools: ObjectTools
  private let memory: UploadMemory
  private let parts: OpenParts
  private let clients: Clients
  /// Whether the run that uses the destinations has been stopped.
  private let isStopped: @Sendable () -> Bool

  private final class Clients: Sendable {
    let all = Mutex<[ClientKey: ObjectClient]>([:])
    /// The servers that did not answer, with the failure and its time.
    let away = Mutex<[ClientKey: (failure: Failure, at: Double)]>([:])
  }

  /// - Parameters:
  ///   - others: Opens places outside object stores.
  ///   - tools: The tools for requests.
  public init(_ others: any Destinations, _ tools: ObjectTools) {
    (self.others, self.tools) = (others, tools)
    (memory, parts, clients, isStopped) = (UploadMemory(), OpenParts(), Clients(), { false })
  }

  /// Returns these destinations for a run whose writes are checked by a fence. The new destinations share memory and
  /// open parts with these. They do not share clients, because each request of a client must pass the fence.
  /// - Parameter others: Opens places outside object stores.
  package func guarded(by fence: WriteFence, _ others: any Destinations) -> ObjectDestinations {
    var tools = tools
    tools.fence = fence
    return ObjectDestinations(others, tools, sharing: self)
  }

  private init(_ others: any Destinations, _ tools: ObjectTools, sharing base: ObjectDestinations) {
    (self.others, self.tools, memory, parts) = (others, tools, base.memory, base.parts)
    (clients, isStopped) = (Clients(), base.isStopped)
  }

  private init(_ base: ObjectDestinations, isStopped: @escaping @Sendable () -> Bool) {
    others = base.others.stopping(when: isStopped)
    (tools, memory, parts) = (base.tools, base.memory, base.parts)
    (clients, self.isStopped) = (base.clients, isStopped)
  }

  /// Returns these destinations for a run. Once the run is stopped, these destinations no longer wait for a server that
  /// fails.
  public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations {
    ObjectDestinations(self, isStopped: isStopped)
  }

  /// Returns the destination of a place; `nil` if the place is not in an object store.
  private func object(_ place: DirectoryPlace) -> ObjectDestination? {
    place.object.map {
      ObjectDestination(place, $0, client($0.bucket, place.access).ending(when: isStopped), memory, parts)
    }
  }

  private func client(_ bucket: String, _ access: ObjectAccess?) -> ObjectClient {
    clients.all.withLock { clients in
      let key = ClientKey(bucket: bucket, access: access)
      if let client = clients[key] { return client }
      if clients.count >= ObjectDestinations.mostClients { clients = [:] }
      let client = ObjectClient(bucket: bucket, access, tools)
      clients[key] = client
      return client
    }
  }

  private static let mostClients = 64
  /// The seconds after a failure for which a server is not asked to discard uploads.
  private static let memory = 10.0

  /// Returns the destination, without a request to a bucket; `nil` if the place does not exist.
  public func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    if let object = object(place) { return object }
    return try others.find(place)
  }

  /// Opens a destination; a bucket is never created.
  public func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination {
    if let object = object(place) { return object }
    return try others.open(place, create: create)
  }

  /// Checks a place without a request to a bucket.
  public func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    if let object = object(place) { return object }
    return try others.check(place)
  }

  /// Discards the unfinished uploads that were begun for parts. If an upload cannot be discarded, its mark stays for
  /// `clean`.
  public func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure] {
    guard let object = object(place) else { return others.discardParts(names, at: place) }
    var failures: [String: Failure] = [:]
    // Wait only once for a server that does not answer, not once for each part or prefix.
    let key = ClientKey(bucket: object.object.bucket, access: place.access)
    let known = clients.away.withLock { $0[key] }
    var away = known.flatMap { SteadyClock.now() - $0.at < ObjectDestinations.memory ? $0.failure : nil }
    for name in names {
      do throws(Failure) { try object.discardPart(name, isAway: away) } catch {
        failures[name] = error
        guard error.recovery == .retry, away == nil else { continue }
        away = error
        if error.kind == .network { clients.away.withLock { $0[key] = (error, SteadyClock.now()) } }
      }
    }
    return failures
  }

  // MARK: Uploads

  /// Returns the uploads at a place, including those that other programs began.
  public func uploads(at place: DirectoryPlace) async throws(Failure) -> [FoundUpload] {
    guard let object = place.object else { return [] }
    let prefix = object.prefix.isEmpty ? "" : object.prefix + "/"
    let client = client(object.bucket, place.access)
    let listed = try await client.uploads(prefix: prefix)
    let marks = try await marks(of: client)
    return listed.map { upload in
      FoundUpload(upload: upload, mark: marks.first { $0.id == upload.id && $0.key == upload.key })
    }
  }

  private func marks(of client: ObjectClient) async throws(Failure) -> [UploadMark] {
    let server = try client.server()
    return try await tools.ledger.uploads(ofPart: nil).filter { mark in
      ObjectPlace(mark.place)?.bucket == client.bucket && (mark.signature == nil || mark.server == server)
    }
  }

  /// Discards an upload, and forgets its mark.
  package func abort(_ upload: ListedUpload, at place: DirectoryPlace) async throws(Failure) {
    guard let object = place.object else { return }
    let client = client(object.bucket, place.access)
    try await client.abort(upload.key, upload: upload.id)
    for mark in try await marks(of: client) where mark.id == upload.id && mark.key == upload.key {
      try await tools.ledger.end(mark)
    }
  }
}

#endif
