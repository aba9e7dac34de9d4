// Events as lines of JSON, compared with the schema.

import DrayKit
import DrayStore
import DrayWire
import JSONSchema
import Testing

@Suite("JSON of events")
struct EventJSONTests {
  static let failure = Failure(
    .status, "http://h/f", "the server answered 503", advice: "try later", httpStatus: 503)

  private static func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  private static func response(_ size: Int64?) throws -> JobEvent.Kind {
    let head = ResponseHead(status: 200, fields: [HeaderField("ETag", "\"v1\"")])
    let record = ResponseRecord(finalURL: try url("http://h/f?token=s3cret"), redirects: [], head: head, time: 0)
    return .response(record, from: 0, size: size)
  }

  /// Every kind that a runner reports, with its name.
  private static func kinds() throws -> [(JobEvent.Kind, String)] {
    let digest = SourcedDigest(try DigestValue.parse("sha-256=" + String(repeating: "0f", count: 32)), .given)
    return [
      (.started(attempt: 2), "started"),
      (.redirected(status: 302, from: try url("http://h/a"), to: try url("http://h/b?sig=s3cret")), "redirected"),
      (try response(nil), "response"), (try response(7), "response"), (.restarted(.unidentified), "restarted"),
      (.damaged(bytes: 5), "damaged"), (.interfaceChanged("eth0", problem: "no route"), "interface-changed"),
      (.interfaceChanged("eth0", problem: nil), "interface-changed"),
      (.connectionsLimited(until: 9.5), "connections-limited"),
      (.mirrorDropped(try url("http://m/f"), reason: "it differs"), "mirror-dropped"),
      (.linkRenewed(source: "hf:org/model@1", status: 403), "link-renewed"),
      (.linkRenewed(source: "own:https://h/?token=s3cret", status: 403), "link-renewed"),
      (.adopted(try Samples.adoption()), "adopted"),
      (.seeded(Seeding(files: ["/d/old"])), "seeded"),
      (
        .seeded(
          Seeding(
            files: ["/d/old"], control: "http://h/f.zsync?token=s3cret",
            outcome: Seeding.Outcome(reused: 5, size: 9, segments: SegmentSet(0..<5)))), "seeded"
      ),
      (.seeded(Seeding(files: [], outcome: Seeding.Outcome(refusal: SeedRefusal.notServed.text))), "seeded"),
      (.retrying(failure, delay: 0.5), "retrying"), (.interrupted(nil), "interrupted"),
      (.waiting(until: 9.5), "waiting"), (.waiting(until: nil, queue: "films"), "waiting"),
      (.waiting(until: nil, share: "/mnt/share"), "waiting"),
      (.interrupted(failure), "interrupted"), (.failed(failure), "failed"), (.paused, "paused"), (.removed, "removed"),
      (.skipped(path: "/x"), "skipped"), (.upToDate(path: "/x"), "unchanged"),
      (.complete(path: "/d/f", size: 5, digest: nil, note: nil), "complete"),
      (.complete(path: "/d/f", size: 5, digest: digest, note: "length unverified"), "complete"),
      (.completeWithoutFile(note: "204"), "complete"),
      (.hook(HookReport(program: "p", ending: .exited(1), output: ["a", "b"])), "hook"),
      (.hook(HookReport(program: "p", ending: .exited(0), output: [])), "hook"),
    ]
  }

  /// Checks one line, and returns its members.
  private func check(_ json: JSONText, _ name: String) throws -> [String: JSONValue] {
    let text = json.text
    #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n") && !text.contains("s3cret"), "\(text)")
    let value = try JSONValue(parsing: text)
    #expect(try JSONSchema.wire().problems(value, as: "event", .closed) == [], "\(text)")
    #expect(value["event"] == .string(name) && value["v"] == .number(Double(Wire.version)))
    return try #require(value.members)
  }

  @Test("one line, with version, name, id, time, and the members of its kind")
  func kinds() throws {
    for (kind, name) in try Self.kinds() {
      let members = try check(EventJSON.line(JobEvent(id: 7, time: 1.5, kind: kind), .plain), name)
      #expect(members["id"] == .number(7) && members["time"] == .number(1.5))
    }
    let failed = EventJSON.line(JobEvent(id: 7, time: 1.5, kind: .failed(Self.failure)), .plain).text
    #expect(failed.contains("\"error\":{\"code\":\"status\",\"exitStatus\":8,"))
  }

  @Test("the events that a front end adds")
  func others() throws {
    let progress = EventJSON.progress(3, received: 5, size: nil, rate: 1.9, time: 2)
    #expect(
      progress.text == "{\"v\":1,\"event\":\"progress\",\"id\":3,\"time\":2,\"received\":5,\"size\":null,\"rate\":1}\n")
    _ = try check(progress, "progress")
    _ = try check(EventJSON.progress(3, received: 5, size: 6, rate: nil, connections: 2, time: 2), "progress")
    _ = try check(EventJSON.upload(3, sent: 1, length: nil, rate: 2.5, time: 2), "upload")
    _ = try check(EventJSON.queued(3, time: 2), "queued")
    let job = Samples.facts()
    _ = try check(EventJSON.added(job, time: 2), "added")
    let added = AddedJob(id: 3, uuid: Samples.uuid, existing: true)
    #expect(try check(EventJSON.added(added, try Samples.specification(), time: 2), "added")["existing"] == .bool(true))
    #expect(try check(EventJSON.job(job, time: 2), "job")["job"]?["url"] == .string("http://h/f?token=…"))
  }

  @Test("the schema knows no other event, and each has an example here")
  func all() throws {
    let schema = try JSONSchema.wire()
    let known = Set(schema.definitions.filter { $0.hasPrefix("event-") }.map { String($0.dropFirst("event-".count)) })
    let own: Set<String> = ["added", "job", "progress", "queued", "upload"]
    #expect(known == own.union(try Self.kinds().map(\.1)))
    #expect(schema.value("$defs/event/oneOf")?.elements?.count == known.count)
    #expect(schema.value("$defs/eventBase/properties/v/const") == .number(Double(Wire.version)))
  }

  @Test("an event with a wrong field is refused")
  func wrong() throws {
    let line = EventJSON.line(JobEvent(id: 7, time: 1.5, kind: .started(attempt: 2)), .plain).text
    let changes = [
      ("\"attempt\":2", "\"attempt\":0"), ("\"v\":1", "\"v\":2"), ("\"attempt\":2", "\"tries\":2"),
      ("\"event\":\"started\"", "\"event\":\"begun\""), ("\"id\":7", "\"id\":\"7\""),
      ("\"attempt\":2", "\"attempt\":2,\"more\":1"),
    ]
    for (old, new) in changes {
      let value = try JSONValue(parsing: line.replacing(old, with: new))
      #expect(try JSONSchema.wire().problems(value, as: "event", .closed) != [], "\(new)")
    }
  }
}
