// Options for parameters and bodies, checked by an independent server.

import FaultServer
import Foundation
import Testing

@Suite("Uploads")
struct UploadTests {
  /// A file with every byte in it, and its digest.
  func sample(_ sandbox: Sandbox, _ name: String, size: Int64 = 300_000) throws -> String {
    let content = Content.generated(seed: 7, size: size)
    try content.write(toFileAt: sandbox.path(name))
    return Sandbox.sha256(content)
  }

  @Test("forms arrive field by field")
  func forms() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      try sandbox.write("line one\nline & two", to: "value.txt")
      let finished = try await sandbox.dray(
        "get", "-o", "answer", "--data-urlencode", "a=1&2=3+4%5 \u{FC}", "--data-urlencode", "f@value.txt",
        "--data-urlencode",
        "=plain text", receiver.url + "/form")
      expect(finished, exits: 0)
      let request = try #require(receiver.requests.first)
      #expect(request.method == "POST")
      #expect(request.fields == [["a", "1&2=3+4%5 \u{FC}"], ["f", "line one\nline & two"], ["plain text", ""]])
      #expect(request.headers["Content-Length"] == "\(request.length)")
      #expect(sandbox.read("answer") == "\(request.length) bytes\n")
    }
  }

  @Test("parts arrive byte by byte, from files, texts and pipes")
  func parts() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let digest = try sample(sandbox, "part.bin")
      try Content.fixed([]).write(toFileAt: sandbox.path("empty.txt"))
      let finished = try await sandbox.shell(
        "cat part.bin | $DRAY get -o answer -F 'text=a;b' -F 'up=@part.bin;type=x/y;filename=\"q\\\"uote.bin\"'"
          + " -F 'piped=@-;filename=p' -F 'none=@empty.txt' -F 'inline=<part.bin' --form-string 's=@x;type=y' \(receiver.url)/form"
      )
      expect(finished, exits: 0)
      let request = try #require(receiver.requests.first)
      let parts = try #require(request.parts)
      #expect(parts.map(\.name) == ["text", "up", "piped", "none", "inline", "s"])
      #expect(parts.map(\.filename) == [nil, "q%22uote.bin", "p", "empty.txt", nil, nil])
      #expect(parts.map(\.type)[1...3] == ["x/y", "application/octet-stream", "text/plain"])
      #expect(parts.map(\.length) == [3, 300_000, 300_000, 0, 300_000, 9])
      for index in [1, 2, 4] { #expect(parts[index].sha256 == digest) }
      #expect(request.headers["Content-Length"] == "\(request.length)")
      #expect(request.headers["Transfer-Encoding"] == nil)
    }
  }

  @Test("-T sends a file or a pipe with PUT, and adds its name to a directory")
  func put() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let digest = try sample(sandbox, "my file.bin")
      expect(try await sandbox.dray("get", "-o", "a", "-T", "my file.bin", receiver.url + "/dir/"), exits: 0)
      expect(
        try await sandbox.shell("cat 'my file.bin' | $DRAY get -o b -T - \(receiver.url)/exact"), exits: 0)
      let requests = try receiver.requests
      #expect(requests.map(\.method) == ["PUT", "PUT"])
      #expect(requests.map(\.path) == ["/dir/my%20file.bin", "/exact"])
      #expect(requests.allSatisfy { $0.sha256 == digest && $0.headers["Content-Length"] == "300000" })
    }
  }

  @Test(
    "H17 an upload ends with the sent size and the status, whatever page answers it",
    arguments: [[String](), ["-X", "PATCH"], ["--on-conflict", "fail"]])
  func page(options: [String]) async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let digest = try sample(sandbox, "a.tar")
      let finished = try await sandbox.dray(["get", "-T", "a.tar"] + options + [receiver.url + "/page/a.tar"])
      expect(finished, exits: 0, saying: "sent 292.9 KiB: 201 Created")
      let request = try #require(receiver.requests.first)
      #expect(request.sha256 == digest)
      let job = try await sandbox.onlyJob()
      #expect(job.state == "complete" && job.target == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.downloads) == ["a.tar"])
    }
  }

  @Test("H17 -o keeps the answer to an upload, and -o - prints it; a form's URL promises nothing either")
  func keptPage() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      _ = try sample(sandbox, "a.tar")
      let url = receiver.url + "/page/a.tar"
      let named = try await sandbox.dray("get", "-T", "a.tar", "-o", "answer.tar", url)
      expect(named, exits: 0)
      #expect(sandbox.read("answer.tar")?.hasPrefix("<!DOCTYPE html>") == true)
      #expect(!named.errors.contains("web page"))
      let printed = try await sandbox.dray("get", "-T", "a.tar", "-o", "-", url)
      expect(printed, exits: 0)
      #expect(printed.output.hasPrefix("<!DOCTYPE html>"))
      expect(try await sandbox.dray("get", "-F", "up=@a.tar", "-o", "form.tar", url), exits: 0)
      // If the answer is the file, a page is not accepted.
      expect(try await sandbox.dray("get", "--data", "a=1", "-o", "query.tar", url), exits: 9, saying: "a web page")
    }
  }

  @Test("JSON and property lists are checked and sent as they are")
  func documents() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let json = "{ \"a\": [1, 2.50] }\n"
      try sandbox.write(json, to: "body.json")
      let list = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><array><string>x</string></array></plist>"
      try sandbox.write(list, to: "body.plist")
      expect(try await sandbox.dray("get", "-o", "a", "--json-body", "@body.json", receiver.url), exits: 0)
      expect(try await sandbox.dray("get", "-o", "b", "--plist-body", "@body.plist", receiver.url), exits: 0)
      expect(
        try await sandbox.dray("get", "-o", "c", "--json-body", "{oops", receiver.url), exits: 2, saying: "not JSON")
      let requests = try receiver.requests
      #expect(requests.map(\.text) == [json, list])
      #expect(requests.map { $0.headers["Content-Type"] } == ["application/json", "application/x-plist"])
      #expect(requests[0].headers["Accept"] == "application/json")
    }
  }

  @Test("parameters and typed URLs are encoded; an encoded URL stays unchanged")
  func parameters() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      expect(
        try await sandbox.dray("get", "-o", "a", "--query", "q=a b&c", receiver.url + "/p q/\u{FC}?x=%41"), exits: 0)
      expect(try await sandbox.dray("get", "-o", "b", "-G", "--data-urlencode", "q=a b", receiver.url + "/s"), exits: 0)
      let requests = try receiver.requests
      #expect(requests.map(\.path) == ["/p%20q/%C3%BC?x=%41&q=a%20b%26c", "/s?q=a+b"])
      #expect(requests.allSatisfy { $0.method == "GET" && $0.length == 0 })
    }
  }

  @Test("DELETE and HEAD")
  func methods() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let none = try await sandbox.dray("get", "-X", "DELETE", "-o", "file", receiver.url + "/none")
      expect(none, exits: 0, saying: "204 No Content")
      sandbox.expectNoFiles(none)
      let job = try await sandbox.onlyJob()
      #expect(job.state == "complete" && job.target == nil)
      let head = try await sandbox.dray("get", "-I", receiver.url + "/x")
      expect(head, exits: 0)
      #expect(head.output.hasPrefix("HTTP/1.1 200 OK\n"))
      #expect(try receiver.requests.map(\.method) == ["DELETE", "HEAD"])
      #expect(try await sandbox.jobs().count == 1)
      expect(try await sandbox.dray("get", "-o", "-", "--data", "x", receiver.url), exits: 0, saying: "1 bytes")
    }
  }

  @Test("sent bytes are reported, as plain lines and as events")
  func progress() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      _ = try sample(sandbox, "big.bin", size: 24 << 20)
      let program = try sandbox.start(
        ["get", "--progress", "json", "-o", "a", "-T", "big.bin", receiver.url + "/slow"])
      try await program.wait(for: "an upload event") { program.output.contains("\"event\":\"upload\"") }
      let live = try await sandbox.jobs().first
      #expect(live?.received == 0, "what is sent is not part of the file")
      try receiver.go()
      let finished = try await program.finish()
      expect(finished, exits: 0)
      let upload = try #require(finished.output.split(separator: "\n").first { $0.contains("\"upload\"") })
      #expect(upload.contains("\"length\":\(24 << 20)"))
      let plain = try await sandbox.dray("get", "--progress", "plain", "-o", "b", "-T", "big.bin", receiver.url + "/x")
      expect(plain, exits: 0)
    }
  }

  @Test("a large part costs no memory")
  func memory() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      for (name, size) in [("small", Int64(1 << 20)), ("large", Int64(1) << 30)] {
        _ = FileManager.default.createFile(atPath: sandbox.path(name), contents: nil)
        try #require(truncate(sandbox.path(name), off_t(size)) == 0)
      }
      var peaks: [Int] = []
      for name in ["small", "large"] {
        let script =
          "import os,resource,subprocess;"
          + "subprocess.run([os.environ['DRAY'],'get','-q','-o','a-\(name)','-F','f=@\(name)','\(receiver.url)/x'],check=True);"
          + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        let finished = try await sandbox.tool("python3", ["-c", script], seconds: 600)
        expect(finished, exits: 0)
        let last = finished.output.split(whereSeparator: \.isNewline).last
        peaks.append(try #require(last.flatMap { Int($0) }))
      }
      let requests = try receiver.requests
      #expect(requests.map { $0.length >> 20 } == [1, 1024])
      // KiB; a gibibyte in memory would be a hundred times as much.
      #expect(peaks[1] < peaks[0] + (32 << 10), "\(peaks)")
    }
  }
}
