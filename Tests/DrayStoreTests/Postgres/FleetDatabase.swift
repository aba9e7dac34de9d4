// A database for a test of the store in PostgreSQL.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import Testing

@testable import DrayStore

/// An empty database of the server that the tests share.
final class FleetDatabase: Sendable {
  let server: PostgresServer
  let name: String

  /// - Parameter original: a database to copy.
  init(_ server: PostgresServer? = nil, copying original: FleetDatabase? = nil) throws {
    self.server = try server ?? PostgresServer.shared()
    name = try original.map { try $0.server.copy($0.name) } ?? self.server.newDatabase()
  }

  var address: String { server.uri(name) }

  /// Opens the store of the database. Makes it if it is missing.
  func open(busyTimeout: Double = 40) throws -> PostgresStore {
    try PostgresStore.open(address, path: address, busyTimeout: busyTimeout, looksApart: false, executor: nil)
  }

  /// Opens the store of the database if it is there.
  func openIfPresent() throws -> PostgresStore? {
    try PostgresStore.openIfPresent(address, path: address, busyTimeout: 5, looksApart: false, executor: nil)
  }

  /// Runs SQL in the schema of the store.
  @discardableResult
  func sql(_ text: String) throws -> String { try server.psql("SET search_path = dray; \(text)", in: name) }

  static let maker = StoreMaker("PostgreSQL") {
    let database = try FleetDatabase()
    let configuration = StoreConfiguration(.database(database.address))
    let stores = try (0..<2).map { _ in try #require(try JobStores.open(configuration, .make)) }
    return StorePair(stores[0], stores[1], owner: database)
  }

  static let readApart = StoreMaker("PostgreSQL, read over a second connection") {
    let database = try FleetDatabase()
    let configuration = StoreConfiguration(.database(database.address), looksApart: true)
    let stores = try (0..<2).map { _ in try #require(try JobStores.open(configuration, .make)) }
    return StorePair(stores[0], stores[1], owner: database)
  }
}
