// The messages for refusals of PostgreSQL that have no code.

import DrayCore
import Testing

@testable import DrayStore

@Suite("PostgreSQL: refusals in words")
struct FleetRefusalTests {
  @Test(
    "each refusal has a reason and a next step",
    arguments: [
      ("connection to server failed: fe_sendauth: no password supplied", "wants a password", "PGPASSWORD"),
      ("FATAL:  database \"films\" does not exist", "the database does not exist", "`createdb`"),
      ("server does not support SSL, but SSL was required", "speaks no TLS", "sslmode"),
    ])
  func known(said: String, reason: String, advice: String) throws {
    let refusal = try #require(FleetFailure.refusal(said))
    #expect(refusal.reason.contains(reason) && refusal.advice.description.contains(advice))
    #expect(!refusal.reason.contains("fe_sendauth"))
  }

  @Test(
    "other texts keep the words for their kind", arguments: ["Connection refused", "role \"ann\" does not exist", ""])
  func others(said: String) { #expect(FleetFailure.refusal(said) == nil) }
}
