// The matrix can fail: wrong expectations are planted into a passing case, and the check must name each.

import FaultServer
import Foundation
import Testing

@Suite("Case check")
struct CaseCheckTests {
  private static let text = """
    row = "R20"
    why = "A case to plant wrong expectations in."
    size = 200000
    secret = "PLANTED"

    [serve."/f"]
    answers = [
      { hold = 100000 },
      { status = 403, reason = "Gone" },
    ]

    [[step]]
    run = "dray get -u ann:{secret} {main}/f"
    at = 100000
    stop = "INT"
    exit = 130

    [[step]]
    run = "dray get -u ann:{secret} {main}/f"
    exit = 6
    says = "set-url"
    memory = 500

    [expect]
    files = {}
    parts = 1
    state = "interrupted"
    job = { received = 100000, "error.httpStatus" = 403 }

    [expect.requests]
    "/f" = [
      { status = 200, sent = 100000, secret = true },
      { range = "bytes=34464-", if-range = '"v1"', status = 403 },
      { status = 403 },
    ]
    """

  @Test("the unchanged case passes")
  func holds() async throws {
    #expect(try await CaseRun.complaints(file: "x.toml", text: Self.text) == [])
  }

  @Test("a missing tool is named before anything is run; privileges are not tools")
  func missingTool() async throws {
    func text(_ needs: String) -> String { Self.text.replacing("size =", with: "needs = \(needs)\nsize =") }
    let error = await #expect(throws: HarnessError.self) {
      try await CaseRun.complaints(file: "x.toml", text: text("[\"bash\", \"no-such-tool\"]"))
    }
    #expect(error?.description.hasPrefix("no-such-tool is not installed") == true, "\(String(describing: error))")
    let privileged = try CaseReader.read(text("[\"root\", \"strace\"]"), file: "x.toml")
    #expect(privileged.needsRoot && privileged.tools == ["strace"])
  }

  struct Plant: Sendable, CustomTestStringConvertible {
    let from: String
    let into: String
    let says: String
    var testDescription: String { into }

    init(_ from: String, _ into: String, _ says: String) { (self.from, self.into, self.says) = (from, into, says) }
  }

  static let plants: [Plant] = [
    .init("exit = 6", "exit = 0", "x.toml:18: exit 6, not exit 0"),
    .init("says = \"set-url\"", "says = \"all is well\"", "x.toml:18: does not say \"all is well\""),
    .init("says = \"set-url\"", "says-not = \"set-url\"", "x.toml:18: says \"set-url\""),
    .init("memory = 500", "memory = 1", "MiB of memory, more than 1"),
    .init("files = {}", "files = { f = \"v1\" }", "f is absent, not a file"),
    .init("parts = 1", "parts = 0", "1 part files, not 0"),
    .init("state = \"interrupted\"", "state = \"failed\"", "jobs are [\"interrupted\"], not [\"failed\"]"),
    .init("state = \"interrupted\"", "state = \"refused\"", "the store is not refused"),
    .init("received = 100000", "received = 1", "x.toml:28: received is 100000, not 1"),
    .init("httpStatus\" = 403", "httpStatus\" = 404", "error.httpStatus is 403, not 404"),
    .init("sent = 100000", "sent = 5", "request 1 for /f: 100000 bytes were sent, not 5"),
    .init("secret = true", "secret = false", "request 1 for /f: it carries the secret"),
    .init("bytes=34464-", "bytes=1-", "request 2 for /f: range is bytes=34464-, not bytes=1-"),
    .init("if-range = '\"v1\"', ", "", "request 2 for /f: if-range is \"v1\", not absent"),
    .init("status = 403 },\n]", "status = 404 },\n]", "x.toml:34: request 3 for /f: it was answered 403, not 404"),
    .init("  { status = 200, sent = 100000, secret = true },\n", "", "3 requests for /f, not 2"),
    .init("reason = \"Gone\" },", "reason = \"Gone\" }, # one", ""),
    .init("\"v1\"', status = 403", "\"v1\"', after = 500, status = 403", "after the one before, not 500"),
    .init("parts = 1", "parts = 1\nonly-missing = true", "0 bytes travelled, 100000 were missing"),
    .init("exit = 6", "exit = 6\n[[step]]\nrun = \"touch {dir}/stray\"", "there are [\"stray\"] besides"),
    .init("exit = 6", "exit = 6\n[[step]]\nrun = \"touch {root}/stray\"", "outside the target directory"),
    .init(
      "run = \"dray get -u ann:{secret} {main}/f\"\nexit = 6",
      "run = \"dray nothing; echo {secret}; exit 6\"\nexit = 6", "shows the secret"),
    .init(
      "says = \"set-url\"", "says = \"set-url\"\n[[step]]\nrun = 'printf \"\\033[31m\"'", "U+1b reaches the terminal"),
    .init("exit = 6", "exit = 6\n[[step]]\nrun = \"exit 3 # dray \"\nexit = 3", "exit 3 without a word"),
    .init(
      "exit = 6", "exit = 6\n[[step]]\nrun = \"touch .$(cat /proc/sys/kernel/random/uuid).part\"", "no job owns"),
    .init("exit = 6", "exit = 6\n[[step]]\nrun = \"chmod 644 .*.part\"", "has mode 644"),
  ]

  @Test("a wrong expectation, or a broken promise, is named", arguments: plants)
  func named(_ plant: Plant) async throws {
    // If the text occurs twice, the last occurrence is changed.
    let parts = Self.text.split(separator: plant.from, omittingEmptySubsequences: false)
    try #require(parts.count > 1)
    let text = parts.dropLast().joined(separator: plant.from) + plant.into + (parts.last ?? "")
    let complaints = try await CaseRun.complaints(file: "x.toml", text: text)
    guard !plant.says.isEmpty else {
      #expect(complaints == [], "a comment changes nothing")
      return
    }
    #expect(complaints.contains { $0.contains(plant.says) }, "\(complaints)")
  }
}
