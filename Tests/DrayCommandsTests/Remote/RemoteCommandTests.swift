// `--host http://…`: which words a service can carry out, and the calls that they become.

import DrayCore
import DrayDocuments
import DrayKit
import DrayStore
import DrayWire
import Testing

@testable import DrayCommands

@Suite("Another host's service")
struct RemoteCommandTests {
  private func line(_ text: String) throws -> RemoteCommand {
    try RemoteCommand(text.split(separator: " ").map(String.init), try OptionCatalog.read(DrayRoot.self))
  }

  @Test("a service that does not answer: the advice is about the service, not about a run here")
  func unanswered() {
    let failure = Failure(.network, "http://h:1", "h:1 refused the connection", advice: "\(.run) continues")
    #expect(
      RemoteCalls.unanswered(failure).message(.plain)
        == "http://h:1: h:1 refused the connection; does `dray serve` run there?")
    let other = Failure(.tls, "u", "no TLS on this port", advice: "try http://")
    #expect(RemoteCalls.unanswered(other) == other)
  }

  @Test(
    "commands that a service has",
    arguments: [
      ("list", .list(.init(), isJSON: false)),
      (
        "list --json --state failed,paused --queue films --match *.iso",
        .list(.init(states: ["failed", "paused"], queue: "films", match: "*.iso"), isJSON: true)
      ),
      ("show 3 --json", .show(3, isJSON: true)), ("watch", .watch([])), ("watch 3 4", .watch([3, 4])),
      ("add https://h/a https://h/b", .add(.init(urls: ["https://h/a", "https://h/b"]))),
      ("add -d films -o a.mkv URL", .add(.init(urls: ["URL"], directory: "films", settings: ["out=a.mkv"]))),
      (
        "add -x4 --limit-rate=1M --no-mtime -H A:b -- URL",
        .add(.init(urls: ["URL"], settings: ["header=A:b", "limit-rate=1M", "max-connections=4", "no-mtime=yes"]))
      ),
      ("add -i - --dir films", .add(.init(file: "-", directory: "films"))),
      (
        "add -L --lim 1M --pinned-public-key k URL",
        .add(.init(urls: ["URL"], settings: ["limit-rate=1M", "pinnedpubkey=k"]))
      ),
      ("list -av", .list(.init(), isJSON: false)), ("set-url -q 3 URL", .setURL(3, "URL")),
      ("pause 1 2", .act("pause", .ids([1, 2]), done: "paused")),
      ("rm --all -q", .act("remove", .all, done: "removed")),
      ("set 3 priority=5", .change([3], [GivenSetting(name: "priority", values: ["5"])])),
      ("set-url 3 https://h/new", .setURL(3, "https://h/new")), ("move 5 --before 2", .move([5], .before(2))),
      ("limit", .limit(.init())), ("limit 2M --jobs 3", .limit(.init(rate: "2M", jobs: "3"))), ("queue list", .queues),
      ("queue pause films", .queue("films", isPaused: true)),
    ] as [(String, RemoteCommand.Command)])
  func commands(text: String, command: RemoteCommand.Command) throws {
    #expect(try line(text).command == command)
  }

  @Test(
    "the file with the secret may stand anywhere before --",
    arguments: ["--secret-file f list", "list --secret-file=f"])
  func secretFile(text: String) throws {
    #expect(try line(text) == line("--secret-file f list"))
    #expect(try line(text).secretFile == "f")
  }

  @Test(
    "what a service does not do is refused with a word",
    arguments: [
      ("feed URL", "dray feed"), ("run", "dray run"), ("", "dray"), ("list --long", "--long"),
      ("add --after 3 -z URL", "-z"),
      ("add", "dray add"), ("add -i f --limit-rate 1M", "-i"), ("add -o x URL URL2", "-o"), ("pause", "dray pause"),
      ("pause 3 --all", "dray pause"), ("pause g3", "g3"), ("show 1 2", "dray show"), ("list x", "\"x\""),
      ("list --state lost", "--state"), ("move 3", "dray move"), ("set 3", "dray set"), ("set-url 3", "dray set-url"),
      ("limit 08:00,1M 19:00,off", "dray limit"), ("queue set films --jobs 2", "--jobs"),
      ("queue pause", "dray queue"),
      ("list --secret-file", "--secret-file"), ("list --state", "--state"), ("list --json=1", "--json"),
    ])
  func refused(text: String, subject: String) {
    let failure = #expect(throws: Failure.self) { _ = try line(text) }
    #expect(failure?.kind == .usage && failure?.subject == subject, "\(String(describing: failure))")
  }

  @Test("settings become the fields of the API; others are refused")
  func changes() throws {
    let (_, words) = try SettingWords.parse(["priority=5", "limit-rate=1M", "queue="])
    let json = try RemoteReport.changes(words.given(for: .plain))
    #expect(json.text == #"{"priority":5,"limitRate":"1M","queue":null}"#)
    let failure = #expect(throws: Failure.self) {
      _ = try RemoteReport.changes([GivenSetting(name: "retries", values: ["5"])])
    }
    #expect(failure?.subject == "retries=")
  }

  @Test("limits that are not typed stay")
  func limits() throws {
    let text = #"{"overallRate":"1M","timetable":[{"from":"01:00"}],"jobs":3,"between":"Sat"}"#
    let present = try JSONNode.parse(text.utf8, kind: "limits")
    func put(_ typed: RemoteCommand.Limits) throws -> String { try RemoteReport.limits(typed, from: present).text }
    #expect(
      try put(.init(window: "off"))
        == #"{"overallRate":"1M","timetable":[{"from":"01:00"}],"jobs":3,"between":"off"}"#)
    #expect(try put(.init(rate: "2M", jobs: "auto")) == #"{"overallRate":"2M","timetable":[],"jobs":"auto"}"#)
    #expect(
      try put(.init(rate: "off", window: "auto")) == #"{"overallRate":null,"timetable":[],"jobs":3,"between":null}"#)
    #expect(throws: Failure.self) { _ = try RemoteReport.limits(.init(jobs: "many"), from: present) }
    #expect(
      RemoteReport.lines(ofLimits: present)
        == ["rate: 1M, another one at 1 time of the week", "jobs at once: 3", "window: Sat"])
    #expect(RemoteReport.encoded("my-films é") == "my-films%20%C3%A9")
  }

  @Test("a job of a service has the row that it has here")
  func rows() throws {
    let now = 1_700_000_000.0
    func job(_ id: JobID, _ state: JobState, _ change: (inout JobSummary) -> Void = { _ in }) -> JobSummary {
      let failure = Failure(.status, "http://h/d/f.iso", "503 Service Unavailable", httpStatus: 503).of(runner: "pc:1")
      var job = JobSummary(
        id: id, state: state, url: "http://h/d/f.iso", directory: "/d", fileName: id == 1 ? nil : "f.iso",
        failure: state == .failed ? failure : nil)
      (job.received, job.size) = (50, 100)
      change(&job)
      return job
    }
    let hold = #"{"origin":"http://h","until":1700000600,"since":1699999000,"job":3,"status":429}"#
    let live = ProgressEntry(job: 5, received: 70, size: 100, rate: 1000, phase: .receiving)
    for job in [
      job(1, .queued), job(2, .failed), job(3, .queued) { $0.holdText = hold },
      job(4, .queued) { $0.waitsFor = [2, 3] },
      job(5, .active), job(6, .complete) { $0.received = 100 }, job(7, .queued) { $0.startAt = now + 60 },
    ] {
      let live = job.state == .active ? live : nil
      let facts = JobFacts(job, live: live, names: .commandLine, waits: WaitContext(now: now)) { _ in false }
      let node = try JSONNode.parse(facts.line.text.utf8, kind: "a job")
      let row = JobTableRow(job, live: live, now: now)
      #expect("\(JobTableRow(node, now: now))" == "\(row)")
      #expect(row.wait != nil || ![3, 4, 7].contains(job.id))
    }
  }

  @Test("calls")
  func calls() {
    #expect(RemoteReport.action("pause", .all).text == #"{"action":"pause","all":true}"#)
    #expect(RemoteReport.action("remove", .ids([3])).text == #"{"action":"remove","ids":[3]}"#)
    #expect(RemoteReport.move([3], .last).text == #"{"ids":[3],"place":"last"}"#)
    #expect(RemoteReport.move([3], .after(2)).text == #"{"ids":[3],"after":2}"#)
    #expect(RemoteReport.list("x\n", directory: "d").text == #"{"list":"x\n","directory":"d"}"#)
  }

  @Test(
    "this user's own secret goes to this user's own service only",
    arguments: [
      ("http://127.0.0.1:6800/", true), ("http://localhost:6800/", true), ("http://127.0.0.1:6801/", false),
      ("https://127.0.0.1:6800/", false), ("http://nas:6800/", false),
    ])
  func ownService(url: String, isOwn: Bool) throws {
    let record = ServiceRecord(
      pid: 1, version: "1", startedAt: 0, listening: ["127.0.0.1:6800"], hasSecret: true, secretFile: "/s", roots: [],
      directory: "/d", log: nil)
    #expect(RemoteExecution.isOf(record, try RemoteExecution.service(url)) == isOwn)
  }

  @Test("no secret on the command line", arguments: ["http://:x@nas:6800", "http://nas/?token=x"])
  func noSecret(url: String) {
    #expect(throws: Failure.self) { _ = try RemoteExecution.service(url) }
  }
}
