// The permissions of the browser extension: the same as those of the service's clients (P22).

import DrayCore
import DrayDocuments
import DrayKit
import DrayStore
import Foundation
import Synchronization
import Testing

@testable import DrayServer

@Suite("The host for messages of browsers")
struct NativeMessagingHostTests {
  /// A host with a store of its own.
  private final class TestHost: Sendable {
    let manager: DownloadManager
    let host: NativeMessagingHost
    let root: String
    let counter: Counter

    init(_ change: (inout NativeMessagingHost.Settings) -> Void = { _ in }) async throws {
      root = NSTemporaryDirectory() + "dray-host-\(UUID().uuidString)"
      let manager = try await DownloadManager.open(Configuration(home: StateDirectory(path: root + "/state")))
      self.manager = manager
      var settings = NativeMessagingHost.Settings(
        rule: OutsideRule(directories: AllowedDirectories([root + "/files"])), directory: root + "/files",
        names: Advice.Names(action: { action, _ in action.rawValue }, setting: \.rawValue), version: "9"
      ) { () throws(Failure) in manager }
      change(&settings)
      let counter = Counter()
      settings.start = { _ in
        counter.add()
        return nil
      }
      self.counter = counter
      host = NativeMessagingHost(settings)
    }

    final class Counter: Sendable {
      private let value = Mutex(0)
      func add() { value.withLock { $0 += 1 } }
      var count: Int { value.withLock(\.self) }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The answers to messages that arrive together.
    func answers(_ texts: [String]) async throws -> [[String: Any]] {
      let bytes = Mutex<[[UInt8]]>([])
      let messages = texts.enumerated().map { BrowserMessage("{\"id\":\($0.offset),\($0.element)}".utf8, now: 1000) }
      await host.answer(messages) { answer in bytes.withLock { $0.append(answer.bytes) } }
      return try bytes.withLock(\.self).map { bytes in
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      }
    }

    func answer(_ text: String) async throws -> [String: Any] { try #require(try await answers([text]).first) }

    func job(_ answer: [String: Any]) async throws -> Job {
      let uuid = try #require((answer["job"] as? String).flatMap(UUID.init(uuidString:)))
      return try #require(try await manager.jobs.job(uuid: uuid))
    }
  }

  @Test("hello names the version and the directory")
  func hello() async throws {
    let host = try await TestHost()
    let answer = try await host.answer(#""type":"hello","version":1"#)
    #expect(answer["ok"] as? Bool == true && answer["version"] as? Int == 1 && answer["program"] as? String == "9")
    #expect(answer["directory"] as? String == host.root + "/files" && answer["service"] as? Bool == false)
    #expect(try await host.answer(#""type":"hello","version":0"#)["code"] as? String == "unavailable")
  }

  @Test("an acknowledged job is in the store, as a client's, with the cookies of its origin")
  func adding() async throws {
    let host = try await TestHost()
    let answer = try await host.answer(
      #""type":"add","url":"http://a.example/f?x=1","name":"big.iso","referrer":"http://a.example/","userAgent":"B/1","cookies":[{"name":"s","value":"7","domain":"a.example"},{"name":"o","value":"8","domain":"b.example"}]"#
    )
    #expect(answer["ok"] as? Bool == true && answer["state"] as? String == "queued", "\(answer)")
    #expect(answer["output"] as? String == host.root + "/files/big.iso")
    let job = try await host.job(answer)
    let request = job.specification.request
    #expect(request.cookie == "s=7" && request.referer == "http://a.example/" && request.userAgent == "B/1")
    #expect(request.isOfClient == true && job.specification.options.onConflict == .rename)
    #expect(host.counter.count == 1)
    let again = try await host.answer(#""type":"add","url":"http://a.example/f?x=1","name":"big.iso""#)
    #expect(
      again["ok"] as? Bool == true && again["existing"] as? Bool == true
        && again["job"] as? String == answer["job"] as? String)
  }

  @Test("downloads that arrive together: each has its answer, whatever happens to the others")
  func together() async throws {
    let host = try await TestHost()
    var texts = (0..<150).map { #""type":"add","url":"http://a.example/\#($0)""# }
    texts[3] = #""type":"add","url":"file:///etc/passwd""#
    texts[5] = #""type":"add","url":"http://a.example/5","post":true"#
    texts[7] = #""type":"add""#
    let answers = try await host.answers(texts)
    #expect(answers.count == 150)
    #expect(Set(answers.compactMap { $0["id"] as? Int }) == Set(0..<150))
    let refused = answers.filter { $0["ok"] as? Bool != true }
    let codes = Dictionary(uniqueKeysWithValues: refused.map { ($0["id"] as? Int ?? -1, $0["code"] as? String) })
    #expect(codes == [3: "refused", 5: "refused", 7: "invalid"])
    #expect(try await host.manager.jobs.counts(ids: nil)[.queued] == 147)
  }

  @Test(
    "what only the owner may",
    arguments: [
      #""url":"file:///etc/passwd""#, #""url":"sftp://h/f""#, #""url":"s3://bucket/key""#,
      #""url":"http://a.example/f","post":true"#,
    ])
  func refused(fields: String) async throws {
    let host = try await TestHost()
    let answer = try await host.answer(#""type":"add",\#(fields)"#)
    #expect(answer["ok"] as? Bool == false && answer["code"] as? String == "refused", "\(answer)")
    #expect(try await host.manager.jobs.newestID() == 0)
    #expect(host.counter.count == 0)
  }

  @Test("a job of the owner: its link may change if a client could have such a job, and its secrets stay")
  func relinking() async throws {
    let host = try await TestHost()
    var plain = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://a.example/f?old").url), directory: host.root + "/files"
    )
    plain.request.credentials = Credentials(user: "ann", password: "secret")
    var hooked = plain
    hooked.request.url = try RequestURL.parse("http://a.example/g").url
    hooked.options.hooks = Hooks()
    hooked.options.hooks?.onComplete = ["rm"]
    let added = try await host.manager.add([plain, hooked])
    let link = #""url":"http://a.example/f?new","cookies":[{"name":"s","value":"7","domain":"a.example"}]"#
    let answer = try await host.answer(#""type":"relink","job":"\#(added[0].uuid.uuidString)",\#(link)"#)
    #expect(answer["ok"] as? Bool == true && answer["kept"] as? Int == 0, "\(answer)")
    let job = try await host.job(answer)
    #expect(job.specification.request.url.string == "http://a.example/f?new")
    #expect(job.specification.request.credentials == nil && job.specification.request.cookie == "s=7")
    #expect(job.specification.request.isOfClient == true)
    let refused = try await host.answer(#""type":"relink","job":"\#(added[1].id)",\#(link)"#)
    #expect(refused["code"] as? String == "refused", "\(refused)")
    let other = try #require(try await host.manager.jobs.job(added[1].id))
    #expect(other.specification.request.url.string == "http://a.example/g")
  }

  @Test("a job that the user has stopped stays so, and the browser keeps its download", arguments: [true, false])
  func stopped(isOfClient: Bool) async throws {
    let host = try await TestHost()
    var own = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://a.example/f").url), directory: host.root + "/files")
    own.request.isOfClient = isOfClient ? true : nil
    let id = try #require(try await host.manager.add([own]).first).id
    let add = #""type":"add","url":"http://a.example/f""#
    let queued = try await host.answer(add)
    #expect(queued["ok"] as? Bool == true && queued["existing"] as? Bool == true && host.counter.count == 1)
    _ = try await host.manager.pause([id])
    let refused = try await host.answer(add)
    #expect(refused["ok"] as? Bool == false && refused["code"] as? String == "refused", "\(refused)")
    #expect(refused["message"] as? String == "job \(id) has this file, and is stopped")
    #expect(refused["advice"] as? String == "resume continues it")
    #expect(try await host.manager.jobs.job(id)?.state == .paused && host.counter.count == 1)
  }

  @Test("pause, resume, list, matches, remove")
  func acting() async throws {
    let host = try await TestHost()
    let uuid = try #require(try await host.answer(#""type":"add","url":"http://a.example/d/f.bin""#)["job"] as? String)
    func state() async throws -> String? {
      let jobs = try await host.answer(#""type":"list""#)["jobs"] as? [[String: Any]]
      return jobs?.first { $0["job"] as? String == uuid }?["state"] as? String
    }
    #expect(try await state() == "queued")
    #expect(try await host.answer(#""type":"pause","job":"\#(uuid)""#)["ok"] as? Bool == true)
    #expect(try await state() == "paused")
    let matches =
      try await host.answer(#""type":"matches","url":"http://b.example/f.bin""#)["matches"] as? [[String: Any]]
    #expect(matches?.map { $0["job"] as? String } == [uuid] && matches?.first?["certain"] as? Bool == false)
    #expect(try await host.answer(#""type":"retry","job":"1""#)["ok"] as? Bool == true)
    #expect(try await state() == "queued")
    #expect(try await host.answer(#""type":"remove","job":"\#(uuid)""#)["ok"] as? Bool == true)
    #expect(try await state() == nil)
    for job in ["7", uuid, "x"] {
      #expect(try await host.answer(#""type":"pause","job":"\#(job)""#)["code"] as? String == "invalid")
    }
  }

  @Test("a store that cannot be used: the browser keeps its download")
  func away() async throws {
    let host = try await TestHost { settings in
      settings.open = { () throws(Failure) in throw Failure(.store, "/s", "it cannot be written") }
      settings.look = { () throws(Failure) in nil }
    }
    let answer = try await host.answer(#""type":"add","url":"http://a.example/f""#)
    #expect(answer["code"] as? String == "unavailable" && answer["message"] as? String == "/s: it cannot be written")
    #expect((try await host.answer(#""type":"list""#)["jobs"] as? [Any])?.isEmpty == true)
  }

  @Test("an answer that is too long for a browser becomes an error")
  func longAnswers() {
    let answer = BrowserAnswer(to: .number(1)) { json in
      json.field("x", String(repeating: "x", count: MessageFrames.longest))
    }
    #expect(answer.bytes.count < 200 && String(decoding: answer.bytes, as: UTF8.self).contains("unavailable"))
  }
}
