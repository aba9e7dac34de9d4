// Files of aria2: its configuration, its sessions.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Files of aria2")
struct AriaTests {
  private func configuration(_ text: String) throws -> AriaConfiguration {
    AriaConfiguration(text, file: "conf", try OptionCatalog.read(DrayRoot.self))
  }

  @Test(
    "an option becomes the key of the same meaning",
    arguments: [
      ("dir=/d", "dir = \"/d\"\n"), ("dir=${HOME}/x", "dir = \"~/x\"\n"), ("# a\n\n  \ndir = /d \n", "dir = \"/d\"\n"),
      ("split=16\nmax-connection-per-server=4", "max-connections = \"4\"\n"),
      ("max-connection-per-server=4\nsplit=16", "max-connections = \"4\"\n"),
      ("split=100", "max-connections = \"64\"\n"),
      ("max-tries=3", "retries = \"2\"\n"), ("max-tries=0", "retries = \"1000000\"\n"),
      ("retry-wait=2", "retry-wait = \"2\"\n"),
      ("max-overall-download-limit=1M", "max-overall-rate = \"1M\"\n"), ("max-download-limit=0", ""),
      ("check-certificate=false", "insecure = true\n"), ("check-certificate=true", ""),
      ("quiet=true", "quiet = true\n"),
      ("quiet=false", ""), ("timeout=9", "stall-timeout = \"9\"\n"),
      ("allow-overwrite=true", "on-conflict = \"overwrite\"\n"),
      ("auto-file-renaming=false", ""), ("continue=true\nfile-allocation=none\nmin-split-size=1M", ""),
      ("header=A: 1\nheader=B: \"2\"", "header = [\"A: 1\", \"B: \\\"2\\\"\"]\n"),
      ("user-agent=a\\b", "user-agent = \"a\\\\b\"\n"), ("dir=/a\ndir=/b", "dir = \"/b\"\n"),
      ("https-proxy=http://p:1", "proxy = \"http://p:1\"\n"), ("disable-ipv6=true", "ipv4 = true\n"),
    ])
  func keys(_ text: String, _ toml: String) throws {
    let found = try configuration(text)
    #expect(found.toml == "# From conf\n" + toml)
    #expect(found.remarks.isEmpty, "\(found.remarks)")
  }

  @Test(
    "ignored options are named with their line",
    arguments: [
      ("dir=/d\nenable-rpc=true", "conf:2: enable-rpc"), ("nosuch=1", "not an option of aria2"),
      ("http-user=ann", "[host"), ("header=Cookie: a=b", "[host"), ("checksum=md5=00", "one file"),
      ("on-download-complete=/x", "--on-complete"), ("save-session=/s", "`dray import aria2 /s`"),
      ("bt-max-peers=1", "BitTorrent"), ("dscp=1", "no meaning"), ("dir", "not NAME=VALUE"),
      ("max-tries=x", "\"x\" has no meaning"),
      ("split=x", "not a number"), ("dir=a\u{7}b", "control character"), ("load-cookies=/c", "[host"),
    ])
  func remarks(_ text: String, _ says: String) throws {
    let found = try configuration(text)
    #expect(found.remarks.count == 1 && found.remarks[0].contains(says), "\(found.remarks)")
  }

  @Test(
    "the content of a file tells its kind",
    arguments: [
      ("dir=/d\n", AriaFile.Kind.configuration), ("# x\n\n\nsplit=5", .configuration), ("http://h/f?a=b\n", .session),
      ("# c\nhttp://h/a\thttp://m/a\n gid=1\n", .session), ("magnet:?xt=1\n gid=2\n", .session),
      ("/x/y.torrent\n", .session),
      ("", .empty), ("# only\n  \n", .empty), ("\u{1F}", .session),
    ])
  func kinds(_ text: String, _ kind: AriaFile.Kind) {
    #expect(AriaFile.kind(Array(text.utf8)) == kind)
    #expect(AriaFile.kind([0x1F, 0x8B, 8]) == .compressed)
  }

  @Test("a session loses its torrents, and lines keep their numbers")
  func session() {
    let text = "http://h/a\n gid=1\nmagnet:?xt=1\n out=x\n# c\n/t.torrent\n out=y\nhttp://h/b\n out=z"
    let found = AriaFile.downloads(of: Array(text.utf8), name: "s")
    #expect(String(decoding: found.list, as: UTF8.self) == "http://h/a\n gid=1\n\n\n\n\n\nhttp://h/b\n out=z\n")
    #expect(found.count == 2 && found.torrents == 2 && found.remarks.count == 2)
    let other = AriaFile.downloads(of: Array("hello world\n".utf8), name: "s")
    #expect(other.count + other.torrents == 0 && other.remarks.first?.contains("not a URL") == true)
    #expect(found.remarks[0].hasPrefix("s:3: magnet:?xt=1") && found.remarks[1].hasPrefix("s:6: /t.torrent"))
  }

  @Test("every option that lists use exists in aria2")
  func used() {
    for name in AriaOption.used { #expect(AriaOption.names.contains(name), "\(name)") }
  }
}
