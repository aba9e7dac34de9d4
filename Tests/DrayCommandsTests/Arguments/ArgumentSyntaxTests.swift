// Typed arguments, and the arguments that the parser gets for them.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Typed arguments")
struct ArgumentSyntaxTests {
  private static let url = "http://h/f"

  @Test(
    "short options with their values joined, several flags in one word, long options by their beginnings",
    arguments: [
      ("-x16 URL", "--max-connections=16 URL"), ("-j64 URL", "--max-concurrent-downloads=64 URL"),
      ("-ofile URL", "--output=file URL"), ("-o- URL", "--output=- URL"), ("-HX:1 URL", "--header=X:1 URL"),
      ("-x=16 URL", "--max-connections=16 URL"), ("-qv URL", "-q -v URL"), ("-qk4 URL", "-q -k -4 URL"),
      ("-qo file URL", "-q -o file URL"), ("-vofile URL", "-v --output=file URL"), ("-o=a=b URL", "--output=a=b URL"),
      ("-o -x16 URL", "-o -x16 URL"), ("-H -qv URL", "-H -qv URL"), ("--output -x16 URL", "--output -x16 URL"),
      ("-q -- -x16", "-q -- -x16"), ("- -q", "- -q"), ("--check sha-256=0 URL", "--checksum sha-256=0 URL"),
      ("--max-conc=3 URL", "--max-concurrent-downloads=3 URL"), ("--no-mtime URL", "--no-mtime URL"),
      ("--no-output URL", "--no-output URL"), ("--help", "--help"), ("--nonsense URL", "--nonsense URL"),
      ("-% URL", "-% URL"), ("-q% URL", "-q -% URL"), ("--pinned x URL", "--pinnedpubkey x URL"),
      ("--priority -5 URL", "--priority=-5 URL"), ("--priority 5 URL", "--priority 5 URL"),
    ])
  func syntax(_ typed: String, _ expected: String) throws {
    #expect(try words(typed) == expected)
  }

  @Test(
    "options of curl, wget and aria2",
    arguments: [
      ("-L -O -f -S URL", "URL"), ("-LOfS URL", "URL"), ("-fsSL URL", "--quiet URL"),
      ("-fsSLo file URL", "--quiet -o file URL"),
      ("-C - URL", "--adopt-target URL"), ("-C- URL", "--adopt-target URL"), ("-c URL", "--adopt-target URL"),
      ("--continue URL", "--adopt-target URL"), ("--continue=true URL", "URL"),
      ("-s16 URL", "--max-connections 16 URL"), ("-s 16 URL", "--max-connections 16 URL"),
      ("-qO- URL", "-q --output - URL"), ("-O- URL", "--output - URL"), ("-q -O - URL", "-q --output - URL"),
      ("URL -O -", "URL --output -"), ("-OJ URL", "URL"), ("-OLo f URL", "-o f URL"), ("-k 1M URL", "URL"),
      ("-x16 -s16 -k1M URL", "--max-connections=16 --max-connections 16 URL"), ("-k URL", "-k URL"),
      ("-nc URL", "--on-conflict skip URL"), ("-nv URL", "URL"), ("--tries 3 URL", "--retries 2 URL"),
      ("-t0 URL", "--retries 1000000 URL"),
      ("--tries=1 URL", "--retries 0 URL"), ("-P dir URL", "--dir dir URL"),
      ("--split=4 URL", "--max-connections 4 URL"),
      ("--allow-overwrite=true URL", "--on-conflict overwrite URL"), ("--allow-overwrite=false URL", "URL"),
      ("--check-certificate=false URL", "--insecure URL"), ("--max-download-limit=1M URL", "--limit-rate 1M URL"),
      ("--no-check-certificate URL", "--insecure URL"), ("--post-file f URL", "--data @f URL"),
      ("--all-proxy p URL", "--proxy p URL"),
      ("--load-cookies c URL", "--cookie c URL"), ("--file-allocation none URL", "URL"), ("--compressed URL", "URL"),
      ("-Z --parallel-max 4 URL", "--max-concurrent-downloads 4 URL"), ("--out=x URL", "--output x URL"),
      ("-#L URL", "URL"), ("--spider URL", "--head URL"), ("--dry-run=true URL", "--head URL"),
      ("--dry-run=false URL", "URL"),
      ("-m 10 URL", "--max-time 10 URL"), ("-m10 URL", "--max-time 10 URL"), ("-Lm 1.5 URL", "--max-time 1.5 URL"),
      ("-m0 URL", "--no-max-time URL"), ("-m 0 URL", "--no-max-time URL"), ("--force-save=false URL", "URL"),
      ("--url URL", "URL"), ("--json {} URL", "--json-body {} URL"),
      ("--proto =https --tlsv1.2 -sSf URL", "--proto =https --quiet URL"),
      ("-n URL", "--netrc URL"), ("--socks5-hostname h:1 URL", "--proxy socks5h://h:1 URL"),
      ("--max-download-limit=0 URL", "URL"), ("--max-overall-download-limit=0 URL", "URL"),
      ("--method=PUT --body-data=x URL", "--request PUT --data x URL"), ("--inet4-only URL", "--ipv4 URL"),
      ("--no-glob URL", "--globoff URL"), ("--conditional-get=true URL", "--if-changed URL"),
      ("-nd --unlink URL", "URL"),
      ("--http-no-cache=true URL", "--no-cache URL"), ("--data-ascii x URL", "--data x URL"),
      ("--server-response URL", "--verbose URL"),
      ("--bind-address=a URL", "--interface a URL"), ("--disable-ipv6=true URL", "--ipv4 URL"), ("-p URL", "URL"),
      ("--always-resume=true --async-dns=false URL", "URL"), ("--keepalive-time 9 URL", "URL"), ("-g URL", "-g URL"),
      ("--retry-all-errors --retry-connrefused URL", "--retry-all-errors URL"),
      ("-Q 1G URL", "--max-transfer 1G URL"), ("--quota=inf URL", "URL"), ("--wait 2 URL", "--pace 1/2s URL"),
      ("--wait=0 URL", "URL"), ("--wait 1m URL", "--pace 1/m URL"), ("--rate 10/s URL", "--pace 10/s URL"),
      ("--rate 100 URL", "--pace 100/h URL"),
    ])
  func habits(_ typed: String, _ expected: String) throws {
    #expect(try words(typed) == expected)
  }

  @Test(
    "impossible options are refused by name",
    arguments: [
      ("--no URL", "--no: it could be"), ("--max 3 URL", "--max-connections"),
      ("-q- URL", "a dash is not an option"), ("-Ox9 URL", "-O: it takes no name here; write -o x9"),
      ("-qOf.bin URL", "write -o f.bin"),
      ("URL -O f.bin", "write -o f.bin"), ("-b URL", "--cookie"), ("-T 5 URL", "--stall-timeout 5"),
      ("-w %{x} URL", "--progress json"), ("--connect-to a:1:b:2 URL", "--resolve"),
      ("--location-trusted URL", "[host]"),
      ("--noproxy x URL", "no_proxy"), ("--random-wait URL", "--jitter"), ("-Q RETR URL", "-Q"),
      ("--rate x URL", "--rate"), ("--daemon=true URL", "dray add"),
      ("--on-download-complete x URL", "--on-complete"), ("--convert-links URL", "links of pages"),
      ("--check-integrity URL", "dray verify"),
      ("--tlsv1.3 URL", "TLS 1.3"), ("-D f URL", "dray show"), ("--unix-socket s URL", "network"),
      ("--password x URL", "--user"),
      ("-C 100 URL", "-C"), ("--tries many URL", "--tries"), ("--range 0-5 URL", "whole files"),
      ("--torrent-file x URL", "BitTorrent"),
      ("--tries", "its value is missing"),
    ])
  func refused(_ typed: String, _ says: String) {
    let failure = #expect(throws: Failure.self) { try words(typed) }
    #expect(failure?.kind == .usage && failure?.message.contains(says) == true, "\(failure?.message ?? "")")
  }

  @Test("a habit maps to existing options, and never hides an option of dray")
  func table() throws {
    let options = try #require(try OptionCatalog.read(DrayRoot.self).command(["get"])).options
    let own = Set(options.values.flatMap(\.texts))
    var seen: Set<String> = []
    for habit in Habit.all {
      for name in habit.names {
        #expect(!own.contains(name) && seen.insert(name).inserted, "\(name)")
        #expect(name.hasPrefix("-") && !habit.note.isEmpty)
      }
      // A habit of several programs may be a flag in one and take `true` in another.
      let words: [String]? =
        switch habit.meaning {
        case .words(let words): words
        case .decided(let decide): decide("1").flatMap { $0.isEmpty || $0 == ["1"] ? nil : $0 }
        case .usual, .refused: nil
        }
      guard let words else { continue }
      let option = options[String(words[0].dropFirst(2))]
      #expect(option != nil && option?.isFlag == (words.count == 1), "\(words)")
    }
  }

  @Test("a command without requests accepts no options of other programs")
  func withoutRequests() throws {
    let catalog = try OptionCatalog.read(DrayRoot.self)
    for words in [["run", "-c"], ["run", "--retry"], ["list", "-s"], ["remove", "-f", "3"], ["pause", "--spider"]] {
      #expect(try ArgumentSyntax.words(of: words, catalog) == words)
    }
  }

  @Test("the options are looked up only for ambiguous words")
  func isNeeded() {
    #expect(!ArgumentSyntax.isNeeded(for: ["get", "-o", "x", "--output=y", "-q", "-", "URL"]))
    #expect(!ArgumentSyntax.isNeeded(for: ["get", "--", "-x16"]))
    #expect(ArgumentSyntax.isNeeded(for: ["get", "-x16"]))
    #expect(ArgumentSyntax.isNeeded(for: ["get", "-k", "1M"]))
  }

  @Test(
    "a line without a command fetches its URLs",
    arguments: [
      ("http://h/f", true), ("-x4 http://h/f", true), ("http://h/f -o x http://h/g", true), ("--help", false),
      ("http://h/f list", false), ("-q list http://h/f", false), ("h.example/f", false), ("lits http://h/f", false),
    ])
  func noCommand(_ typed: String, _ isFetched: Bool) throws {
    let words = typed.split(separator: " ").map(String.init)
    let prepared = try PreparedCommand.make(["--no-config"] + words, environment: [:])
    #expect((prepared.settings.typed.first == "get") == isFetched)
  }

  @Test(
    "the options that were typed are known, whether or not a configuration is read",
    arguments: [
      ("add --retries 3 -H X:1 http://h/f", ["retries", "header"]),
      ("get -x4 --limit-rate=5M http://h/f", ["max-connections", "limit-rate"]),
      ("add http://h/f -- --retries", []), ("feed add --on-conflict skip http://h/f", ["on-conflict"]), ("list", []),
    ] as [(String, Set<String>)])
  func typedNames(_ typed: String, _ names: Set<String>) throws {
    let words = ["--no-config"] + typed.split(separator: " ").map(String.init)
    for environment in [[:], ["DRAY_USER_AGENT": "a"]] {
      let prepared = try PreparedCommand.make(words, environment: environment)
      #expect(prepared.context.given.subtracting(["user-agent"]) == names)
    }
  }

  @Test("the version is asked for in three ways", arguments: ["--version", "-V", "version"])
  func version(_ word: String) async {
    #expect(await DrayProgram.run([word]) == .success)
  }

  @Test("another program's name of a command leads to dray's")
  func commands() {
    let usage = UsageText(DrayRoot.all)
    for (name, command) in [
      ("ls", "list"), ("delete", "remove"), ("status", "list"), ("stop", "pause"), ("download", "get"),
      ("start", "run"), ("aria2c", "get"),
    ] {
      #expect(usage.unknownCommand([name])?.contains("`dray \(command)`") == true)
    }
    #expect(usage.unknownCommand(["lits"])?.contains("did you mean `dray list`?") == true)
    for name in usage.names { #expect(CommandMeaning.of(name) == nil, "\(name)") }
  }

  @Test(
    "an error leads to the help of its command or subcommand",
    arguments: [
      (["get", "--x"], "get"), (["rm", "--x"], "rm"), (["cookies", "add", "--x"], "cookies add"),
      (["cookies", "--x", "add"], "cookies add"), (["cookies", "example.org"], "cookies"),
      (["queue", "set", "films", "list"], "queue set"), (["browser", "install", "nosuch"], "browser install"),
      (["get", "add"], "get"),
    ])
  func helpOfSubcommands(_ arguments: [String], _ command: String) {
    let line = UsageText(DrayRoot.all).line("Unknown option '--x'", arguments: arguments)
    #expect(line == "unknown option '--x'; see `dray help \(command)`")
  }

  @Test(
    "a value that is not one of its values names them",
    arguments: [
      (
        "The value 'x' is invalid for '--when <when>'. Please provide one of 'now' and 'later'.",
        "--when x: use now or later"
      ),
      (
        "The value 'x' is invalid for '--when <when>'. Please provide one of 'a', 'b' or 'c'.",
        "--when x: use a, b or c"
      ),
      (
        "The value 'x y' is invalid for '<when>'. Please provide one of the following:\n  - a\n  - b\n  - c",
        "<when> x y: use a, b or c"
      ),
      ("The value 'x' is invalid for '--n <n>'", "the value 'x' is invalid for '--n <n>'; see `dray help get`"),
    ])
  func choices(_ message: String, _ line: String) {
    #expect(UsageText(DrayRoot.all).line(message, arguments: ["get"]) == line)
  }

  private func words(_ typed: String) throws -> String {
    let words = typed.split(separator: " ").map { $0 == "URL" ? Self.url : String($0) }
    let found = try ArgumentSyntax.words(of: ["get"] + words, OptionCatalog(reference()))
    #expect(found.first == "get")
    return found.dropFirst().map { $0 == Self.url ? "URL" : $0 }.joined(separator: " ")
  }
}
