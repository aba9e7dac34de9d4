// Jobs requested by clients, and settings that no outside caller gets.

import DrayCore
import DrayDocuments
import Testing

@testable import DrayServer

@Suite("jobs requested by clients of the API")
struct JobOrderTests {
  private func job(_ fields: String, base: String = "/d") throws -> JobSpecification {
    let node = try JSONNode.parse("{\(fields)}".utf8, kind: "a job")
    try JobOrder.schema.check(node, "jobs[0]")
    return try JobOrder(node).specification(base: base)
  }

  @Test func everything() throws {
    let job = try job(
      #""url":"http://ann:pw@h/f?a=b","mirrors":["http://m/f","http://h/f?a=b","http://m/f"],"directory":"sub/x","output":"n","#
        + #""checksum":"sha-256=\#(String(repeating: "ab", count: 32))","headers":["A: b ","Cookie: x=1"],"group":"a/b","#
        + #""priority":-3,"limitRate":"1M","after":[7,8],"paused":true"#)
    #expect(
      job.request.url.string == "http://h/f?a=b" && job.request.credentials == Credentials(user: "ann", password: "pw"))
    #expect(job.options.mirrors?.map(\.string) == ["http://m/f"])
    #expect((job.directory, job.output, job.priority) == ("/d/sub/x", "n", -3))
    #expect(job.options.digest?.algorithm == .sha256 && job.options.rateLimit == 1 << 20 && job.after == [7, 8])
    #expect(job.request.headers == [HeaderField("A", "b"), HeaderField("Cookie", "x=1")])
    #expect(
      job.group?.name == "a_b" || job.group?.name == "a/b" || job.group?.name == "b" || job.group?.name == "a%2Fb")
    #expect(job.options.onConflict == .rename)
  }

  @Test("~ is the home of the service's user")
  func homes() throws {
    let rows: [(String, String?, String)] = [
      ("~/x", "/home/u", "/home/u/x"), ("~", "/home/u", "/home/u"), ("~ann/x", "/home/u", "/d/~ann/x"),
      ("a/~", "/home/u", "/d/a/~"), ("~/x", nil, "/d/~/x"),
    ]
    #expect(JobOrder.directory("s3://bucket/p/", base: "/d") == "s3://bucket/p/")
    #expect(JobOrder.directory("sub", base: "s3://bucket/p") == "s3://bucket/p/sub")
    for (text, home, path) in rows { #expect(JobOrder.directory(text, base: "/d", home: home) == path) }
  }

  @Test func whatIsNotSaid() throws {
    for fields in ["", #","directory":null,"output":"","checksum":null,"group":"","limitRate":null,"headers":[]"#] {
      let job = try job(#""url":"http://h/f""# + fields)
      #expect((job.directory, job.output, job.options.rateLimit) == ("/d", nil, nil))
      #expect(job.group == nil && job.options.mirrors == nil && job.request.headers.isEmpty)
    }
  }

  @Test(
    arguments: [
      (#""url":"nonsense""#, "is not a URL"), (#""url":"http://""#, "is not a URL"),
      (#""url":"http://u:secret@h:99999/""#, "is not a URL"),
      (#""url":"http://h/f","mirrors":["x"]"#, "x is not a URL"),
      (#""url":"http://h/f","checksum":"sha-256=00""#, "http://h/f: checksum:"),
      (#""url":"http://h/f","limitRate":"08:00,1k""#, "http://h/f: limitRate:"),
      (#""url":"http://h/f","limitRate":"0""#, "limitRate: a rate of 0"),
      (#""url":"http://h/f","headers":["x"]"#, "has no colon"),
      (#""url":"http://h/f","headers":["a b: c"]"#, "is not a name"),
      (#""url":"http://h/f","headers":["Range: bytes=0-"]"#, "dray sets Range itself"),
      (#""url":"http://h/f","headers":["host: evil"]"#, "dray sets host itself"),
      (#""url":"http://h/f","headers":["X(y): 1"]"#, "is not a name"),
      (#""url":"http://h/f","headers":["A: b\r\nC: d"]"#, "control character"),
      (#""url":"http://h/f","headers":["A: b\u0000"]"#, "control character"),
    ])
  func mistakes(_ fields: String, _ words: String) {
    let failure = #expect(throws: APIFailure.self) { try job(fields) }
    #expect(failure?.status == 400)
    #expect(failure?.message.contains(words) ?? false, "\(failure?.message ?? "")")
    #expect(!(failure?.message.contains("secret") ?? true))
  }

  @Test("a field that nobody may set is refused", arguments: FieldRule.own.sorted() + ["host"])
  func ownFields(_ name: String) {
    let failure = #expect(throws: APIFailure.self) { try job(#""url":"http://h/f","headers":["\#(name): x"]"#) }
    #expect(failure?.message.contains("dray sets \(name) itself") ?? false)
  }

  /// Each field name that would let an outside caller do more than fetch.
  @Test(arguments: ForbiddenField.all.flatMap(\.names))
  func whatCallersMayNotSay(_ name: String) {
    for value in [#""x""#, "true", "{}", "null"] {
      let failure = #expect(throws: APIFailure.self) { try job(#""url":"http://h/f","\#(name)":\#(value)"#) }
      #expect(failure?.status == 403 && failure?.code == .forbidden)
      #expect(
        failure?.message.hasPrefix("jobs[0].\(name) is not for callers of the API") ?? false,
        "\(failure?.message ?? "")")
    }
    // Other places refuse the name, too.
    let failure = #expect(throws: APIFailure.self) {
      try APIReadingTests.call("POST", "/jobs", #"{"jobs":[{"url":"http://h/f","\#(name)":1}]}"#)
    }
    #expect(failure?.status == 403)
    let change = #expect(throws: APIFailure.self) { try APIReadingTests.call("PATCH", "/jobs/1", #"{"\#(name)":1}"#) }
    #expect(change?.status == 403)
  }

  @Test func noFieldIsBothTakenAndForbidden() {
    let taken = Set(JobOrder.fields.map(\.name))
    #expect(ForbiddenField.all.flatMap(\.names).allSatisfy { !taken.contains($0) })
  }
}
