// Challenges as servers send them, and the message about their 401.

import DrayCore
import Testing

@Suite struct AuthenticationChallengeTests {
  @Test(
    arguments: [
      ([], []),
      (["Basic realm=\"a\""], ["Basic"]),
      (["Basic"], ["Basic"]),
      (["Negotiate", "NTLM"], ["Negotiate", "NTLM"]),
      (["Negotiate YIIabc=="], ["Negotiate"]),
      (["Digest realm=\"a, Basic b\", nonce=\"x\", Basic realm=\"c\""], ["Digest", "Basic"]),
      (["Digest realm=\"a \\\", NTLM\", qop=auth"], ["Digest"]),
      (["Digest realm = \"a\", nonce = \"x\""], ["Digest"]),
      (
        ["Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\""],
        ["Newauth", "Basic"]
      ),
      (["Digest a=1", "digest algorithm=SHA-256"], ["Digest"]),
      ([", ,Basic realm=\"a\","], ["Basic"]),
      (["Basic realm=\"open"], ["Basic"]),
    ] as [([String], [String])])
  func schemes(_ fields: [String], _ expected: [String]) {
    #expect(AuthenticationChallenge.schemes(fields) == expected)
  }

  @Test(arguments: [
    (401, "WWW-Authenticate", "Digest realm=\"a\"", "a password is needed (Digest)", "and Digest"),
    (401, "WWW-Authenticate", "NTLM", "a password is needed (NTLM)", "and NTLM"),
    (401, "WWW-Authenticate", "Bearer", "401: a token is needed", "bearer token"),
    (401, "WWW-Authenticate", "Digest a=1, Basic b=2", "401: a password is needed", "user name and password"),
    (407, "Proxy-Authenticate", "Digest a=1", "the proxy needs a password (Digest)", "Digest for the proxy"),
    (407, "Proxy-Authenticate", "Basic a=1", "407: the proxy needs a password", "proxy's user name"),
    (401, "WWW-Authenticate", "Ba\u{1B}[31msic", "Ba\\u{1B}[31msic", "user name and password"),
  ])
  func words(_ status: Int, _ field: String, _ value: String, _ reason: String, _ advice: String) {
    let head = ResponseHead(status: status, fields: [HeaderField(field, value)])
    let failure = StatusRule.failure(head, subject: "http://a/", now: 0)
    #expect(failure.kind == .authentication)
    #expect(failure.recovery == .keep)
    #expect(failure.reason.contains(reason), "\(failure)")
    #expect(failure.advice?.description.contains(advice) == true, "\(failure)")
  }
}
