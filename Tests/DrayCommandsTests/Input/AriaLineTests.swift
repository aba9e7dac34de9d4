// Lines of aria2c as lines of dray.

import ArgumentParser
import DrayKit
import Testing

@testable import DrayCommands

@Suite("Lines of aria2c")
struct AriaLineTests {
  static let url = "https://h.example/f"
  /// The options that every line gets, unless it has others.
  private static let usual = "--no-mtime --on-conflict rename --globoff URL"

  static func read(
    _ typed: String, files: [String: String] = [:], environment: [String: String] = ["HOME": "/home/none"]
  ) throws(Failure) -> AriaLine {
    let words = typed.split(separator: " ").map { word in
      String(word.replacing("URL", with: url).replacing("_", with: " "))
    }
    return try AriaLine(words, .fixed(environment: environment, files: files))
  }

  private static func text(_ command: [String]) -> String {
    command.map { $0 == url ? "URL" : $0.isEmpty ? "EMPTY" : $0 }.joined(separator: " ")
  }

  @Test(
    "aria2's options with aria2's meaning",
    arguments: [
      ("URL", "USUAL"), ("-- URL", "USUAL"), ("-c URL", "CONTINUED"), ("--continue=true URL", "CONTINUED"),
      ("-ctrue URL", "CONTINUED"), ("-cfalse URL", "USUAL"),
      ("-x16 -s16 -k1M URL", "--max-connections 16 USUAL"), ("-x 16 -s 4 URL", "--max-connections 4 USUAL"),
      ("-s100 URL", "--max-connections 64 USUAL"), ("-cx8 URL", "--max-connections 8 CONTINUED"),
      ("--max-conn=2 URL", "--max-connections 2 USUAL"),
      ("-d dir -o f URL", "--dir dir --no-mtime --output f --on-conflict rename --globoff URL"),
      ("-d dir -o /f URL", "--dir dir --no-mtime --output ./f --on-conflict rename --globoff URL"),
      ("-o - URL", "--no-mtime --output ./- --on-conflict rename --globoff URL"),
      ("-R URL", "--on-conflict rename --globoff URL"), ("--remote-time=false URL", "USUAL"),
      ("--allow-overwrite=true URL", "--no-mtime --on-conflict overwrite --globoff URL"),
      ("--auto-file-renaming=false URL", "--no-mtime --on-conflict fail --globoff URL"),
      ("--conditional-get --allow-overwrite URL", "--no-mtime --if-changed --on-conflict fail --globoff URL"),
      ("--no-conf URL", "--no-config USUAL"), ("-q URL", "--quiet USUAL"),
      ("--show-console-readout=false URL", "--progress none USUAL"),
      (
        "--timeout=9 --retry-wait=3 URL",
        "--retry-wait 3 --no-mtime --stall-timeout 9 --on-conflict rename --globoff URL"
      ),
      ("-m0 URL", "--no-mtime --retries 1000000 --on-conflict rename --globoff URL"),
      ("-m5 --retry-wait=0 URL", "--no-mtime --retries 4 --on-conflict rename --globoff URL"),
      ("--connect-timeout=7 URL", "--no-mtime --connect-timeout 7 --on-conflict rename --globoff URL"),
      ("-j8 --max-overall-download-limit=1M URL", "--max-overall-rate 1M --max-concurrent-downloads 8 USUAL"),
      ("-j5000 --max-overall-download-limit=0 URL", "--max-concurrent-downloads 1000 USUAL"),
      ("--header=A:_1 --header B:2 URL", "--header A: 1 --header B:2 USUAL"),
      ("--header=Range:bytes=0- --header=nonsense URL", "USUAL"), ("--header=-x:1 URL", "--header=-x:1 USUAL"),
      (
        "-U me --referer=http://r/ URL",
        "--referer http://r/ --no-mtime --user-agent me --on-conflict rename --globoff URL"
      ),
      ("--referer=* URL", "--referer URL USUAL"),
      ("--check-certificate=false URL", "--no-mtime --insecure --on-conflict rename --globoff URL"),
      ("--check-certificate URL", "USUAL"),
      ("--load-cookies=file URL", "--no-mtime --cookie file --on-conflict rename --globoff URL"),
      ("--http-user=ann --http-passwd=x URL", "--user ann:x USUAL"), ("--ftp-user=ann URL", "USUAL"),
      ("--all-proxy=p:1 URL", "--proxy p:1 USUAL"), ("--http-proxy=p:1 URL", "USUAL"),
      ("--https-proxy=p:1 --https-proxy-user=a --https-proxy-passwd=b URL", "--proxy p:1 --proxy-user a:b USUAL"),
      ("--all-proxy= URL", "--proxy EMPTY USUAL"),
      ("URL https://m.example/f", "--no-mtime --on-conflict rename --globoff --mirror https://m.example/f URL"),
      ("ftp://m.example/f URL URL", "USUAL"),
      (
        "https://a:b@m.example/f URL",
        "--no-mtime --on-conflict rename --globoff --mirror URL https://a:b@m.example/f"
      ),
      ("-Z URL https://m.example/g", "--no-mtime --on-conflict rename --globoff URL https://m.example/g"),
      ("-ZP https://h.example/[1-2]", "--no-mtime --on-conflict rename https://h.example/[1-2]"),
      ("-P https://{h,m}.example/f", "--no-mtime --on-conflict rename --globoff --mirror https://m.example/f URL"),
      ("-i list -o x", "--no-mtime --on-conflict rename --input-file list"),
      ("-i - -j2", "--max-concurrent-downloads 2 --no-mtime --on-conflict rename --input-file -"),
      ("-M f.meta4", "--no-mtime --on-conflict rename --metalink-file f.meta4"),
      ("--dry-run URL", "--no-mtime --head --on-conflict rename --globoff URL"),
      ("--checksum=md5=0 URL", "--no-mtime --on-conflict rename --checksum md5=0 --globoff URL"),
      ("--bt-max-peers=9 --seed-time=0 --enable-dht=false --save-session=s --force-save=false URL", "USUAL"),
    ])
  func options(_ typed: String, _ expected: String) throws {
    let line = try Self.read(typed, files: ["/base/list": "URL"])
    let habit = try #require(Habit.named("--continue"))
    let adopting = try habit.words(for: "", "--continue")
    let continued = (["--no-mtime"] + adopting + ["--on-conflict fail --globoff URL"]).joined(separator: " ")
    let words = expected.replacing("USUAL", with: Self.usual).replacing("CONTINUED", with: continued)
    #expect(line.commands.map(Self.text) == ["get " + words])
    #expect(line.remarks.isEmpty)
  }

  @Test("cookies that are missing are reported, and left out")
  func missingCookies() throws {
    let line = try Self.read("--load-cookies=none URL")
    #expect(line.commands.map(Self.text) == ["get " + Self.usual])
    #expect(line.remarks == ["Failed to load cookies from none: no such file"])
  }

  @Test("options that have no counterpart are named in one line")
  func unused() throws {
    let line = try Self.read("--no-proxy=h --stop=9 -D URL")
    #expect(line.remarks == ["without effect here: --no-proxy, --stop, --daemon"])
    #expect(try Self.read("-q --stop=9 URL").remarks.isEmpty)
  }

  @Test("a partial file is continued where aria2 would do so")
  func partialFiles() throws {
    let files = ["/base/f": "", "/base/dir/g": "", "/base/dir/g.aria2": ""]
    #expect(try Self.read("-c URL", files: files).commands[0].contains("/base/f"))
    #expect(try !Self.read("URL", files: files).commands[0].contains("--adopt"))
    #expect(try Self.read("-d dir -o g URL", files: files).commands[0].contains("/base/dir/g"))
    #expect(try !Self.read("-c -o other URL", files: files).commands[0].contains("--adopt"))
    #expect(try !Self.read("-c ftp://h.example/f", files: files).commands[0].contains("--adopt"))
  }

  @Test("aria2's configuration applies, unless the line excludes it")
  func configuration() throws {
    let files = [
      "/home/ann/.aria2/aria2.conf": "# mine\nsplit=3\ndir=${HOME}/x\nheader=A: 1\nnonsense=1\n", "/base/c": "split=2",
    ]
    func text(_ typed: String) throws -> String {
      Self.text(try Self.read(typed, files: files, environment: ["HOME": "/home/ann"]).commands[0])
    }
    // Every line has the .netrc of the surroundings.
    #expect(try text("-n URL") == "get --dir /home/ann/x --max-connections 3 --header A: 1 \(Self.usual)")
    #expect(try text("-n -d d --header=B:2 URL").contains("--dir d --max-connections 3 --header A: 1 --header B:2"))
    #expect(try text("--no-conf -n URL") == "get --no-config \(Self.usual)")
    #expect(try text("--conf-path=c -n URL") == "get --max-connections 2 \(Self.usual)")
    #expect(try text("--no-conf URL").contains("--netrc-file /home/ann/.netrc"))
  }

  @Test("a list without downloads is nothing to do, as in aria2")
  func emptyLists() throws {
    #expect(try Self.read("-i list", files: ["/base/list": "# none\n\n"]).commands.isEmpty)
  }

  @Test(
    "an interface for clients is dray's service",
    arguments: [
      ("--enable-rpc", "serve --listen 127.0.0.1:6800 --no-secret --dir /base"),
      ("--enable-rpc --rpc-listen-all --rpc-secret=s", "serve --listen *:6800 --dir /base"),
      (
        "--enable-rpc --rpc-listen-port=6900 -D -d dir -j2",
        "serve --listen 127.0.0.1:6900 --no-secret --dir dir --detach --max-concurrent-downloads 2"
      ),
    ])
  func service(_ typed: String, _ expected: String) throws {
    let line = try Self.read(typed)
    #expect(line.commands.map(Self.text) == [expected])
    // A remark says that no secret is needed, and which options require one.
    #expect(line.remarks.count == (expected.contains("--no-secret") ? 1 : 0))
    #expect(line.remarks.allSatisfy { $0.contains("any user") && $0.contains("--rpc-secret") })
  }

  @Test("a secret that is given elsewhere is required")
  func secretsOfServices() throws {
    let environments = [
      ["DRAY_SERVE_SECRET": "correct horse"], ["CREDENTIALS_DIRECTORY": "/base", "DRAY_SERVE_SECRET": ""],
    ]
    for environment in environments {
      let line = try Self.read(
        "--enable-rpc --rpc-user=ann", files: ["/base/dray-secret": "correct horse"], environment: environment)
      #expect(line.commands.map(Self.text) == ["serve --listen 127.0.0.1:6800 --dir /base"])
      #expect(line.remarks.isEmpty)
    }
  }

  @Test func servicesWithDownloads() throws {
    let line = try Self.read("--enable-rpc --rpc-listen-all -x4 URL")
    #expect(
      line.commands.map(Self.text) == [
        "add --max-connections 4 \(Self.usual)", "serve --listen 127.0.0.1:6800 --no-secret --dir /base",
      ])
    #expect(line.remarks.count == 2 && line.remarks.allSatisfy { $0.contains("--rpc-secret") })
  }

  @Test(
    "what aria2 refuses, and BitTorrent",
    arguments: [
      ("--no-such URL", "--no-such"), ("-~ URL", "-~"), ("-o", "its value is missing"), ("-c=no URL", "-="),
      ("--continue=yes URL", "\"yes\""), ("-x0 URL", "--max-connection-per-server"), ("--split=x URL", "--split"),
      ("magnet:?xt=urn:btih:0", "BitTorrent"), ("f.torrent", "BitTorrent"), ("-T f.torrent", "BitTorrent"),
      ("--max=1 URL", "--max"), ("-i none", "none"), ("-m x URL", "\"x\""),
      ("--enable-rpc --rpc-user=ann", "--rpc-secret"), ("--enable-rpc --rpc-passwd=x", "--rpc-secret"),
    ])
  func refused(_ typed: String, _ says: String) {
    let failure = #expect(throws: Failure.self) { try Self.read(typed) }
    #expect(failure?.kind == .usage && failure?.message.contains(says) == true, "\(failure?.message ?? "")")
  }

  @Test func linesWithoutDownloads() throws {
    let failure = #expect(throws: Failure.self) { try Self.read("-x16") }
    #expect(failure?.kind == .other)
    #expect(try Self.read("-v").words.request == .version)
    #expect(try Self.read("--help=#all").words.request == .help)
  }
}
