// Command lines typed out of habit by users of curl, wget and aria2, and dray's reaction.

import FaultServer
import Foundation
import Testing

@Suite("Habits")
struct HabitTests {
  static let version = Version.named("v1", size: 3000)

  /// A command line without `dray`. `URL` is a file f of 3000 bytes, `HOST` its server without a scheme, `PORT` its
  /// port.
  struct Row: Sendable, CustomTestStringConvertible {
    let typed: String
    /// The file that must exist afterwards.
    var file: String?
    var exits: Int32 = 0
    var says = ""
    /// Whether a request is sent although no file results.
    var asks = false

    var testDescription: String { typed }
  }

  private static func file(_ typed: String, _ name: String = "f", says: String = "") -> Row {
    Row(typed: typed, file: name, says: says)
  }

  private static func looked(_ typed: String) -> Row { Row(typed: typed, asks: true) }

  private static func refused(_ typed: String, _ says: String) -> Row { Row(typed: typed, exits: 2, says: says) }

  static let rows: [Row] = [
    // curl
    file("get -O URL"), file("get -LO URL"), file("get -fsSL URL"), file("get -fsSLo x URL", "x"),
    file("get -ox URL", "x"),
    file("get -o y URL -o x http://HOST/f?2", "x"), refused("get -o y -o x URL", "several for one URL"),
    file("get -L --output x URL", "x"), file("get -o x -C - URL", "x"), file("get -sS -o x URL", "x"),
    file("get --location --remote-name URL"), file("get -JLO URL"), file("get --compressed URL"),
    file("get -HX-A:1 URL"),
    file("get -H X-A:1 -A me -e http://r/ URL"), file("get -R -O URL"), file("get --create-dirs -o a/b URL", "a/b"),
    file("get --retry 3 --retry-delay 1 -O URL"), file("get --connect-timeout 5 URL"), file("get -4 URL"),
    file("get -# -O URL"),
    file("get --limit-rate 10M URL"), file("get -k URL", says: "anyone can impersonate"), file("get -Z URL"),
    file("get --http1.1 URL"), file("get --resolve nowhere.example:PORT:127.0.0.1 http://nowhere.example:PORT/f"),
    file("get --interface 127.0.0.1 URL"), file("get --fail-with-body URL"), file("get --no-progress-meter URL"),
    file("get --output-dir sub URL", "sub/f"), file("get --max-redirs 3 URL"), file("get -u ann:secret URL"),
    refused("get -d name=x&y=1 URL", "did you mean --data?"), refused("get -x http://127.0.0.1:1 URL", "--proxy"),
    refused("get -r 0-99 URL", "whole files"), refused("get -C 100 URL", "-C"),
    refused("get -K curlrc URL", "--config"),
    // wget
    file("get -c URL"), file("get -qc URL"), file("get -nc URL"), file("get -nv URL"), file("get --no-verbose URL"),
    file("get -N URL"), file("get --timestamping URL"),
    file("get -P sub URL", "sub/f"), file("get --directory-prefix=sub URL", "sub/f"), file("get --tries=3 URL"),
    file("get -t 3 URL"), file("get --timeout=5 URL"),
    file("get --no-check-certificate URL", says: "anyone can impersonate"),
    file("get --output-document=x URL", "x"), file("get --content-disposition URL"), file("get --user-agent=me URL"),
    file("get --no-clobber URL"), file("get --show-progress -q URL"), file("get -U me URL"),
    file("get --progress=bar:force URL"), file("get --progress dot:giga URL"),
    file("get --waitretry=1 URL"),
    refused("get -Ox.bin URL", "write -o x.bin"), refused("get URL -O x", "write -o x"),
    refused("get -b URL", "dray add"), refused("get -T 5 URL", "--stall-timeout 5"),
    refused("get -O x URL", "write -o x"), refused("get -c jar URL", "--cookie-jar jar"),
    looked("get --spider URL"), refused("add --spider URL", "--head"), file("get -np URL"),
    refused("get -r -A *.iso URL", "--include"), refused("get -r -R *.iso URL", "--exclude"),
    refused("get --delete -r URL", "never deletes"), refused("get -l 2 URL", "-r"),
    refused("get --depth 0 -r URL", "--depth"),
    refused("get --background URL", "dray add"), refused("get --http-user ann URL", "--user"),
    // aria2
    file("get -x16 URL"), file("get -x16 -s16 -k1M URL"), file("get -x 16 -s 16 -k 1M URL"), file("get -j8 URL"),
    file("get --split=4 URL"),
    file("get -x4 --min-split-size=1M URL"), file("get --max-connection-per-server=4 URL"),
    file("get --continue=true URL"),
    file("get --out=x URL", "x"), file("get -d sub -o x URL", "sub/x"), file("get --dir=sub URL", "sub/f"),
    file("get --file-allocation=none URL"), file("get --allow-overwrite=true URL"),
    file("get --auto-file-renaming=false URL"),
    file("get --max-tries=2 --retry-wait=1 URL"), file("get --max-download-limit=10M URL"),
    file("get --summary-interval=0 URL"),
    file("get --check-certificate=false URL", says: "anyone can impersonate"), file("get --console-log-level=warn URL"),
    // Combinations that belong to none of these programs.
    file("get -qv URL"), file("get --max-conc=3 URL"), file("get HOST/f"), file("get localhost:PORT/f"),
    file("get --quie URL"), refused("get --max 3 URL", "it could be"), refused("get --retires 3 URL", "--retires"),
    refused("ls-all", "unknown command"), refused("delete 1", "`dray remove`"), refused("status", "`dray list`"),
    refused("stop 1", "`dray pause`"), refused("start", "`dray run`"), refused("download URL", "`dray get`"),
    refused("lits", "`dray list`"), file("URL"), file("-o x URL", "x"), file("URL -x4 -d sub", "sub/f"),
    refused("URL list", "dray get URL"), refused("ls URL", "`dray list`"),
    refused("del 1", "`dray remove`"), refused("wget URL", "`dray get`"), refused("aria2c URL", "`dray get`"),
    // more of curl
    file("get --proto =http,https --tlsv1.2 -sSf -o x URL", "x"),
    refused("get --proto =https --tlsv1.2 -sSf -o x URL", "the scheme http is not allowed, only https"),
    file("get -m 60 URL"), file("get -m60 -L URL"),
    file("get --max-time 60 --max-filesize 1M URL"), file("get -g URL"), file("get --url URL"), file("get -p -N URL"),
    file("get --tcp-nodelay URL"),
    file("get --remote-name-all http://HOST/{f}"), file("get -o x#1 http://HOST/{f}", "xf"),
    file("get -o #1.bin http://HOST/[f-f]", "f.bin"), file("get http://HOST/[f-f]"), file("get --no-glob URL"),
    looked("get -I URL"), refused("get http://HOST/[1", "position"), refused("get http://HOST/[3-1]", "bad range"),
    refused("get -o x http://HOST/{f,g}", "cannot have one name"), refused("get http://HOST/[0-999999]", "more than"),
    refused("get -w %{http_code} URL", "--progress json"), refused("get -D heads URL", "dray info"),
    refused("get -i URL", "dray info"), refused("get --connect-to a:1:b:2 URL", "--resolve"),
    refused("get --unix-socket s URL", "network"), refused("get --location-trusted URL", "[host]"),
    refused("get --max-time soon URL", "--max-time"), refused("get curl URL", "dray curl"),
    // more of wget
    file("get --timeout=5 --dns-timeout=5 --waitretry=1 URL"), file("get --no-if-modified-since -nd URL"),
    file("get --server-response URL"), file("get --inet4-only URL"), file("get --bind-address=127.0.0.1 URL"),
    file("get --trust-server-names --restrict-file-names=unix URL"), file("get --no-use-server-timestamps URL"),
    file("get -Q 1G URL"), file("get --wait=1 URL"),
    // more of aria2
    file("get --always-resume=true --async-dns=false URL"), file("get --max-download-limit=0 URL"),
    file("get --max-overall-download-limit=0 URL"), file("get --conditional-get=true URL"),
    file("get --parameterized-uri=true http://HOST/{f}"), file("get --disable-ipv6=true URL"),
    file("get --lowest-speed-limit=1K URL"), looked("get --dry-run=true URL"),
    refused("get --enable-rpc URL", "see `dray serve`"), refused("get --daemon URL", "dray add"),
    refused("get --on-download-complete=x URL", "--on-complete"), refused("get --save-session=s URL", "dray list"),
    refused("get --check-integrity=true URL", "dray verify"), refused("get --seed-time=1 URL", "BitTorrent"),
    // lines of curl
    file("curl URL"), file("curl curl URL"), file("curl -O URL"), file("curl -sSLo x URL", "x"),
    file("curl URL -L --output x", "x"),
    file("curl -H Accept-Encoding:gzip -H Range:bytes=0-99 URL", says: "left out: Accept-Encoding, Range"),
    file("curl --compressed --insecure -b a=b -A me -e http://r/ URL", says: "anyone can impersonate"),
    file("curl -w %{http_code} --trace-time URL", says: "-w, --trace-time mean nothing here"),
    file("curl -x http://HOST http://nowhere.example/f"), file("curl -G -d a=b URL"), file("curl --url URL -m 60"),
    file("curl -XPOST --data-raw a=1 -o x URL", "x"), file("curl -d a=1 -o x URL", "x"), looked("curl -I URL"),
    file("curl -H Host:HOST -H :path:/f URL", says: "left out: :path"),
    file("curl ^http://HOST/f^ -H ^A:b^ ^"), refused("curl URL --next URL", "--next"),
    refused("curl -r 0-99 URL", "whole files"),
    refused("curl -L", "no URL"),
    refused("curl -K file URL", "-K"), refused("curl --aws-sigv4 x URL", "s3://"),
    refused("curl --nosuch URL", "--nosuch"),
  ]

  @Test("options typed by habit work, or get dray's word for them", arguments: rows)
  func typed(_ row: Row) async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/f"] = .init(Self.version)
      let url = server.url("/f")
      let port = url.split(separator: ":")[2].prefix { $0 != "/" }
      let words = row.typed.split(separator: " ").map { word in
        word == "URL"
          ? url : word.replacing("HOST", with: "127.0.0.1:\(port)").replacing("PORT", with: port).description
      }
      let finished = try await sandbox.dray(words)
      #expect(finished.status == row.exits, "\(finished)")
      #expect(row.says.isEmpty || finished.errors.contains(row.says), "\(finished)")
      if let file = row.file {
        let size = try? FileManager.default.attributesOfItem(atPath: sandbox.path(file))[.size] as? Int
        #expect(size == 3000, "\(finished)")
      } else {
        #expect(server.requests.isEmpty == !row.asks, "\(finished)")
      }
    }
  }

  @Test(
    "wget's ways to write to standard output: the content comes, and no file",
    arguments: ["-qO- URL", "-O- URL", "-q -O - URL", "URL -qO -", "-qO-  -4 URL"])
  func standardOutput(_ typed: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let url = sandbox.server.url("/f")
      let words = typed.split(separator: " ").map { $0 == "URL" ? url : String($0) }
      let finished = try await sandbox.dray(["get"] + words)
      expect(finished, exits: 0)
      #expect(finished.output == String(decoding: Self.version.content.bytes(in: 0..<3000), as: UTF8.self), "\(typed)")
      #expect(sandbox.names().isEmpty, "\(typed)")
    }
  }

  @Test("a host that does not answer over https, because no scheme was typed: the message says how to use http")
  func noScheme() async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.dray(
        "get", "--retries", "0", "--resolve", "nowhere.example:443:127.0.0.1", "nowhere.example/f")
      #expect(finished.status == 4 || finished.status == 5, "\(finished)")
      #expect(finished.errors.contains("for plain http write http://nowhere.example/"), "\(finished)")
      let typed = try await sandbox.dray(
        "get", "--retries", "0", "--resolve", "nowhere.example:443:127.0.0.1", "https://nowhere.example/g")
      #expect(!typed.errors.contains("plain http"), "\(typed)")
    }
  }

  @Test("a list of URLs named without -i is not taken for a host")
  func listFile() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.write(sandbox.server.url("/f"), to: "urls.txt")
      expect(try await sandbox.dray("get", "urls.txt"), exits: 2, saying: "-i reads URLs from it")
      #expect(sandbox.server.requests.isEmpty)
    }
  }

  @Test("a run reports its jobs' outcomes, and a run with nothing to do the waiting jobs")
  func ends() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      expect(try await sandbox.dray("run"), exits: 0, saying: "nothing to do; `dray add URL` queues a download")
      for n in 0..<7 { server["/f\(n)"] = .init(Self.version) }
      let urls = (0..<7).map { server.url("/f\($0)") }
      let run = try await sandbox.dray(["get"] + urls + [server.url("/gone")])
      expect(run, exits: 8, saying: "7 done, 1 failed")
      let lines = run.errors.split(separator: "\n").filter { $0.contains("404") }
      #expect(lines.count == 2 && lines.allSatisfy { $0.contains("[8]") }, "\(run)")
      expect(try await sandbox.dray("run"), exits: 0, saying: "nothing to do; 1 failed: `dray retry 8`")
      #expect(try await sandbox.dray("run", "-q").errors.isEmpty)
    }
  }
}
