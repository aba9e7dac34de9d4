// Answers of the batch API.

import DrayCore
import DrayDocuments
import Testing

@Suite("The batch API of git-lfs")
struct LFSBatchTests {
  private static let oid = LFSMessageTests.oid
  private static let now = 1_000_000_000.0

  private func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  private func outcomes(
    _ text: String, base: String = "https://lfs.example/o/r.git/info/lfs/objects/batch",
    objects: [LFSObject] = [LFSObject(oid: oid, size: 3)]
  ) throws -> [String: LFSOutcome] {
    try LFSBatch.outcomes(of: objects, in: Array(text.utf8), base: try url(base), now: Self.now)
  }

  private func one(_ rest: String, base: String = "https://lfs.example/batch") throws -> LFSOutcome? {
    try outcomes(#"{"objects":[{"oid":"\#(Self.oid)"\#(rest)}]}"#, base: base)[Self.oid]
  }

  @Test("the question")
  func question() {
    let text = String(decoding: LFSBatch.question([LFSObject(oid: "a", size: 1)]), as: UTF8.self)
    #expect(
      text == #"{"operation":"download","transfers":["basic"],"objects":[{"oid":"a","size":1}],"hash_algo":"sha256"}"#)
  }

  @Test("a link with its fields and its end; fields that dray sets itself are left out")
  func link() throws {
    let outcome = try one(
      """
      ,"size":3,"authenticated":true,"actions":{"download":{"href":"https://cdn.example/x?sig=1",
       "header":{"X-Token":"t","Range":"bytes=0-","Host":"other"},"expires_in":60,"expires_at":"2016-11-10T15:29:07Z"}}
      """)
    let action = LFSAction(
      try url("https://cdn.example/x?sig=1"), headers: [HeaderField("X-Token", "t")], expiresAt: Self.now + 60,
      isAuthenticated: true)
    #expect(outcome == .action(action))
  }

  @Test(
    "ends of links",
    arguments: [
      ("", nil), (#","expires_in":-5"#, now - 5), (#","expires_in":0"#, nil),
      (#","expires_at":"2016-11-10T15:29:07Z""#, 1_478_791_747), (#","expires_at":"0001-01-01T00:00:00Z""#, nil),
      (#","expires_at":"soon""#, nil),
    ] as [(String, Double?)])
  func ends(rest: String, end: Double?) throws {
    let outcome = try one(#","actions":{"download":{"href":"https://cdn.example/x"\#(rest)}}"#)
    #expect(outcome == .action(LFSAction(try url("https://cdn.example/x"), expiresAt: end)))
  }

  @Test(
    "objects that the server refuses, or lies about",
    arguments: [
      (#","error":{"code":404,"message":"gone\u001b"}"#, 404, "gone"),
      (#","error":{"code":7}"#, 500, "without a reason"),
      (#","size":4,"actions":{"download":{"href":"https://cdn.example/x"}}"#, 7, "4 bytes instead of 3"),
      ("", 7, "no link"), (#","actions":{"upload":{"href":"https://cdn.example/x"}}"#, 7, "no link"),
      (#","actions":{"download":{"href":"file:///etc/passwd"}}"#, 7, "http or https"),
      (#","actions":{"download":{"href":"http://cdn.example/x"}}"#, 7, "http or https"),
      (#","actions":{"download":{"href":"https://cdn.example/x","header":{"A B":"x"}}}"#, 7, "header field"),
      (#","actions":{"download":{"href":"https://cdn.example/x","header":{"A":"x\r\nB: y"}}}"#, 7, "header field"),
      (#","actions":{"download":{"href":"https://cdn.example/x","header":{"A":7}}}"#, 7, "header field"),
    ])
  func refused(rest: String, code: Int, words: String) throws {
    guard case .problem(let problem)? = try one(rest) else {
      Issue.record("there is no problem")
      return
    }
    #expect(problem.code == code && problem.message.contains(words) && !problem.message.contains("\u{1b}"))
  }

  @Test("an object that is missing has a problem; others are ignored")
  func missing() throws {
    let outcomes = try outcomes(#"{"objects":[{"oid":"\#(String(repeating: "b", count: 64))"},{}]}"#)
    #expect(outcomes == [Self.oid: .problem(LFSProblem(code: 404, message: "the server's answer lacks the object"))])
  }

  @Test(
    "answers that cannot be used",
    arguments: [
      "", "<html>", "[]", "{}", #"{"objects":{}}"#, #"{"transfer":"tus","objects":[]}"#,
      #"{"hash_algo":"sha512","objects":[]}"#,
      #"{"objects":["# + [String](repeating: "{}", count: 101).joined(separator: ",") + "]}",
    ])
  func unusable(text: String) {
    #expect(throws: DocumentError.self) { try outcomes(text) }
  }

  @Test("the server's words")
  func words() {
    #expect(LFSBatch.words(in: Array(#"{"message":"Not found"}"#.utf8)) == "Not found")
    #expect(LFSBatch.words(in: Array("<html>".utf8)) == nil)
  }
}
