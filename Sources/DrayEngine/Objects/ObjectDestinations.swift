// Opens destinations of any kind: object stores by the places of buckets, and all others by another opener.

public import DrayCore
internal import Synchronization

/// An unfinished upload in a bucket.
public struct FoundUpload: Sendable, Equatable {
  /// The upload as the server lists it.
  public var upload: ListedUpload
  /// The mark of this store, if it began the upload.
  public var mark: UploadMark?
}

/// All destinations of a process. The files in object stores share connections, memory and facts about servers.
public final class ObjectDestinations: Destinations {
  /// A bucket of a server.
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

  /// The clients of buckets.
  private final class Clients: Sendable {
    let all = Mutex<[ClientKey: ObjectClient]>([:])
  }

  /// - Parameters:
  ///   - others: Opens all places that are in no object store.
  ///   - tools: The collaborators of the requests.
  public init(_ others: any Destinations, _ tools: ObjectTools) {
    (self.others, self.tools) = (others, tools)
    (memory, parts, clients, isStopped) = (UploadMemory(), OpenParts(), Clients(), { false })
  }

  /// Returns these destinations for a run whose writes a fence stops. They share memory and open parts with the others,
  /// but no clients, because each request of a client passes its fence.
  /// - Parameter others: Opens all places that are in no object store.
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

  /// Returns these destinations for a run. Once it is stopped, they wait no longer for a server that fails.
  public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations {
    ObjectDestinations(self, isStopped: isStopped)
  }

  /// The destination at a place; `nil` if it is in no object store.
  private func object(_ place: DirectoryPlace) -> ObjectDestination? {
    place.object.map {
      ObjectDestination(place, $0, client($0.bucket, place.access).ending(when: isStopped), memory, parts)
    }
  }

  /// Returns the client of a bucket.
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

  /// Opens an existing destination; `nil` if there is none. Makes no request to a bucket.
  public func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    if let object = object(place) { return object }
    return try others.find(place)
  }

  /// Opens a destination. A bucket is never created.
  public func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination {
    if let object = object(place) { return object }
    return try others.open(place, create: create)
  }

  /// Checks a place, without a request to a bucket.
  public func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    if let object = object(place) { return object }
    return try others.check(place)
  }

  /// Discards parts: the unfinished uploads that were begun for them.
  public func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure] {
    guard let object = object(place) else { return others.discardParts(names, at: place) }
    var failures: [String: Failure] = [:]
    // A server that does not answer is waited for once, not for each part.
    var away: Failure?
    for name in names {
      do throws(Failure) { try object.discardPart(name, isAway: away) } catch {
        failures[name] = error
        if error.recovery == .retry { away = error }
      }
    }
    return failures
  }

  // MARK: Uploads

  /// Returns the unfinished uploads below a place, begun by any program.
  public func uploads(at place: DirectoryPlace) async throws(Failure) -> [FoundUpload] {
    guard let object = place.object else { return [] }
    let prefix = object.prefix.isEmpty ? "" : object.prefix + "/"
    let listed = try await client(object.bucket, place.access).uploads(prefix: prefix)
    let marks = try await tools.ledger.uploads(ofPart: nil)
    return listed.map { upload in
      FoundUpload(
        upload: upload,
        mark: marks.first {
          $0.id == upload.id && $0.key == upload.key && ObjectPlace($0.place)?.bucket == object.bucket
        })
    }
  }

  /// Discards an upload, and forgets its mark.
  public func abort(_ upload: ListedUpload, at place: DirectoryPlace) async throws(Failure) {
    guard let object = place.object else { return }
    try await client(object.bucket, place.access).abort(upload.key, upload: upload.id)
    for mark in try await tools.ledger.uploads(ofPart: nil)
    where mark.id == upload.id && mark.key == upload.key && ObjectPlace(mark.place)?.bucket == object.bucket {
      try await tools.ledger.end(mark.id, key: mark.key, at: mark.place)
    }
  }
}
