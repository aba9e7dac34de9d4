// Failures of object stores that give no answer: the server is named, and the object as its user typed it.

import DrayCore
import Testing

@Suite struct ObjectStoreFailureTests {
  private static let names = Advice.Names(
    action: { action, _ in "dray \(action.rawValue)" },
    setting: { "--" + (Setting.ofProperty($0.rawValue)?.name ?? "") })

  /// The reason in libcurl's errors, the obstacle, and the message.
  @Test(
    arguments: [
      (
        "h:9000 refused the connection", .refusedPort, "the object store h:9000 refused the connection",
        "see whether it runs; dray run continues"
      ),
      (
        "Could not resolve host: h", .unresolvedName, "the name of the object store h:9000 cannot be resolved",
        "check --endpoint-url and the network; dray run continues"
      ),
      (
        "the server closed the connection without an answer", nil,
        "the object store h:9000 closed the connection without an answer", "see whether it runs; dray run continues"
      ),
      (
        "no answer within 60 s", nil, "the object store h:9000: no answer within 60 s",
        "see whether it runs; dray run continues"
      ),
    ] as [(String, Failure.Obstacle?, String, String)])
  func network(_ reason: String, _ obstacle: Failure.Obstacle?, _ said: String, _ advice: String) {
    var failure = Failure(
      .network, "http://h:9000/b/k", reason, advice: "\(.run) continues once the network is back", recovery: .retry)
    failure.obstacle = obstacle
    let own = failure.ofObjectStore("h:9000").of("s3://b/k")
    #expect(own.description == "s3://b/k: \(said)")
    #expect(own.advice?.text(Self.names) == advice)
    // The rules for unreachable servers are about the source.
    #expect(own.obstacle == nil && own.recovery == .retry && own.kind == .network)
  }

  @Test(
    arguments: [
      (.tls, .keep, "the server's certificate is not trusted: self-signed"),
      (.network, .final, "the address is private"), (.protocolViolation, .retry, "its answer is odd"),
    ] as [(Failure.Kind, Failure.Recovery, String)])
  func otherFailuresKeepTheirAdvice(_ kind: Failure.Kind, _ recovery: Failure.Recovery, _ reason: String) {
    let failure = Failure(kind, "https://h/b/k", reason, advice: "do this", recovery: recovery)
    let own = failure.ofObjectStore("h:443").of("s3://b/k")
    #expect(own.description == "s3://b/k: the object store h:443: \(reason)")
    #expect(own.advice == failure.advice && own.recovery == recovery)
  }

  @Test(
    arguments: [
      ("SignatureDoesNotMatch", "check the keys and the clock"), ("InvalidAccessKeyId", "check the keys and the clock"),
      ("", "check the keys and the clock; the keys need the right to write there"),
      ("AccessDenied", "the keys need the right to write there"),
    ])
  func refusedKeys(_ code: String, _ start: String) {
    let access = ObjectAccess(signature: AWSSignature(), credentials: Credentials(user: "a", password: "b"))
    let failure = S3Refusal(status: 403, code: code).failure("s3://b/k", access)
    #expect(failure.kind == .authentication && failure.recovery == .keep)
    #expect(failure.advice?.text(Self.names).hasPrefix(start) ?? false)
  }
}
