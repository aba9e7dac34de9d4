// Translates a command line of aria2c into command lines of dray. Habit defines the meaning of most options. Apart from
// looking at the files that the line names, the code in this file has no effects outside its values.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import Posix

struct AriaLine {
  /// The command lines of dray to run one after another; none if the line names an empty list.
  private(set) var commands: [[String]] = []
  /// The messages that are printed before the commands run.
  private(set) var remarks: [String] = []

  /// The options of the line and of aria2's configuration.
  private(set) var words: AriaWords
  private let surroundings: Surroundings

  /// Translates the words after `aria2c`.
  /// - Throws: Kind `usage` for an invalid option, and for BitTorrent; kind `other` for a line that names nothing to
  ///   download.
  init(_ typed: [String], _ surroundings: Surroundings) throws(Failure) {
    var words = try AriaWords(typed)
    if words.request == nil, !words.isOn("no-conf"), let text = try AriaLine.configuration(words, surroundings) {
      words.add(try AriaWords(configuration: text, home: surroundings.environment["HOME"] ?? ""))
    }
    (self.words, self.surroundings) = (words, surroundings)
    guard words.request == nil else { return }
    if let file = words["load-cookies"], surroundings.kind(surroundings.absolute(file)) == .missing {
      // As in aria2, the line is carried out without the cookies.
      remarks.append("Failed to load cookies from \(TextSafety.escaped(file)): no such file")
      self.words.remove("load-cookies")
    }
    let isService = words.isOn("enable-rpc")
    let unused = (AriaLine.unused + (isService ? [] : ["daemon"])).filter { words[$0] != nil && !words.isOff($0) }
    if !unused.isEmpty, !words.isOn("quiet") {
      remarks.append("without effect here: " + unused.map { "--\($0)" }.joined(separator: ", "))
    }
    if isService { commands = try service() } else { commands = try downloads("get") }
  }

  private static func configuration(
    _ words: AriaWords, _ surroundings: Surroundings
  ) throws(Failure) -> String? {
    let usual = AriaFile.configurations(surroundings.environment).first { surroundings.kind($0) == .file }
    guard let path = words["conf-path"] ?? usual else { return nil }
    return try surroundings.textContents(path, "--conf-path")
  }

  // MARK: Commands

  /// Returns the commands that queue or fetch what the line names.
  private func downloads(_ command: String) throws(Failure) -> [[String]] {
    if let file = words["torrent-file"] { throw AriaLine.torrent(file) }
    if let file = words["metalink-file"] { return [try ofList(command, ["--metalink-file", file])] }
    if let file = words["input-file"] {
      if try isEmpty(file) { return [] }
      return [try ofList(command, ["--input-file", file])]
    }
    guard !words.uris.isEmpty else {
      throw Failure(.other, "aria2c", "it has nothing to download", advice: "add a URL, or name a list with -i")
    }
    if let torrent = words.uris.first(where: AriaLine.isTorrent) { throw AriaLine.torrent(torrent) }
    let documents = words.uris.filter { Operands.isMetalinkFile($0, surroundings) }
    var commands: [[String]] = []
    if !documents.isEmpty { commands.append(try ofList(command, documents)) }
    let typed = words.uris.filter { !documents.contains($0) }
    guard !typed.isEmpty else { return commands }
    if words.isOn("force-sequential") {
      commands.append(try ofList(command, (words.isOn("parameterized-uri") ? [] : ["--globoff"]) + typed))
    } else {
      commands.append(try ofOneFile(command, try expanded(typed)))
    }
    return commands
  }

  /// Whether a list contains nothing, so that aria2 has nothing to do. A list on standard input counts as not empty,
  /// because it is read only later.
  private func isEmpty(_ file: String) throws(Failure) -> Bool {
    guard file != "-" else { return false }
    let bytes = try surroundings.contents(file, "--input-file", limit: Surroundings.longLimit)
    return AriaFile.kind(bytes) == .empty
  }

  /// Returns the texts that patterns in URIs stand for, if the line asks for patterns.
  private func expanded(_ typed: [String]) throws(Failure) -> [String] {
    guard words.isOn("parameterized-uri") else { return typed }
    var all: [String] = []
    for text in typed {
      do throws(URLGlobError) {
        let glob = try URLGlob(text)
        all += (0..<glob.count).map { glob.url($0) }
      } catch {
        throw OptionValue.bad(InputList.place(text), error.message)
      }
    }
    return all
  }

  private func ofList(_ command: String, _ operands: [String]) throws(Failure) -> [String] {
    let url = words.uris.first.flatMap(AriaLine.url)
    return [command] + (try shared(command, url)) + (try conflict()) + operands
  }

  /// Returns the command for several URIs of the same file.
  private func ofOneFile(_ command: String, _ uris: [String]) throws(Failure) -> [String] {
    // As in aria2, URIs that cannot be used are ignored.
    let usable = uris.filter { AriaLine.url($0).flatMap { Scheme($0) }?.speaksHTTP ?? false }
    guard let first = usable.first ?? uris.first else { return [] }
    let url = AriaLine.url(first)
    var line = [command] + (try shared(command, url))
    let looks = words.isOn("dry-run") && command == "get"
    if looks { line.append("--head") }
    let name = output
    if let name, !looks { line += AriaLine.pair("--output", name) }
    if !looks, let url, let file = partial(url, name) { line += ["--adopt", file] }
    line += try conflict()
    if let digest = words["checksum"] { line += ["--checksum", digest] }
    line.append("--globoff")
    for mirror in usable.dropFirst() where mirror != first && !AriaLine.hasUser(mirror) {
      line += ["--mirror", mirror]
    }
    if let url, Metalink.isNamed(url.path), words["follow-metalink"] != "false" { line.append("--metalink") }
    return line + [first]
  }

  private mutating func service() throws(Failure) -> [[String]] {
    var serve = ["serve"] + (words.isOn("no-conf") ? ["--no-config"] : [])
    let port = words["rpc-listen-port"] ?? "6800"
    let isOpen = words.isOn("rpc-listen-all")
    if isOpen, words["rpc-secret"] == nil {
      remarks.append("--rpc-listen-all: without --rpc-secret only this machine can connect")
    }
    serve += ["--listen", (isOpen && words["rpc-secret"] != nil ? "*:" : "127.0.0.1:") + port]
    if try isWithoutSecret() {
      serve.append("--no-secret")
      remarks.append(
        "any user and program of this machine can control the service; to require a secret, set rpc-secret in aria2.conf "
          + "or --rpc-secret")
    }
    serve += AriaLine.pair("--dir", words["dir"] ?? surroundings.currentDirectory)
    if words.isOn("daemon") { serve.append("--detach") }
    serve += try run() + hooks()
    let hasDownloads = !words.uris.isEmpty || words["input-file"] != nil || words["metalink-file"] != nil
    guard hasDownloads else { return [serve] }
    return try downloads("add") + [serve]
  }

  /// Whether the service runs without a secret, which aria2's front ends expect if the line gives none.
  /// - Throws: Kind `usage` for a user or a password. If they were ignored, everybody could use the service.
  private func isWithoutSecret() throws(Failure) -> Bool {
    guard words["rpc-secret"] == nil else { return false }
    let given = SecretSource.choose(file: nil, environment: surroundings.environment) {
      surroundings.kind($0) != .missing
    }
    guard given == nil else { return false }
    if let option = ["rpc-user", "rpc-passwd"].first(where: { words[$0] != nil }) {
      throw OptionValue.bad(
        "--\(option)", "the service takes a secret instead of a user and a password", advice: "use --rpc-secret")
    }
    return true
  }

  // MARK: Options

  /// Returns the options that do not depend on the target.
  /// - Parameter url: The first URL, which decides on the user and the proxy.
  private func shared(_ command: String, _ url: RequestURL?) throws(Failure) -> [String] {
    var line = words.isOn("no-conf") ? ["--no-config"] : []
    if command == "get" {
      line += try run() + hooks()
      if words.isOn("quiet") { line.append("--quiet") }
      if words.isOff("show-console-readout") { line += ["--progress", "none"] }
    }
    if let directory = words["dir"] { line += AriaLine.pair("--dir", directory) }
    line += try connections() + access(url)
    for header in words.headers where AriaLine.isKept(header) { line += AriaLine.pair("--header", header) }
    // The value `*` stands for the URL itself.
    if let referer = words["referer"] == "*" ? url?.string : words["referer"] {
      line += AriaLine.pair("--referer", referer)
    }
    if let seconds = words["retry-wait"], seconds != "0" { line += ["--retry-wait", seconds] }
    // By default, aria2 does not set the time of a file to that of the server's file.
    if !words.isOn("remote-time") { line.append("--no-mtime") }
    for name in words.names where !AriaLine.own.contains(name) { line += try translated(name) }
    return line
  }

  /// Translates an option in the same way as on dray's own command line. The result is empty for an option that has no
  /// meaning for dray.
  private func translated(_ name: String) throws(Failure) -> [String] {
    guard let value = words[name] else { return [] }
    if let setting = AriaOption.setting(name) { return AriaLine.pair("--\(setting)", value) }
    guard let habit = Habit.named("--\(name)"), !habit.isRefused else { return [] }
    let translation = try habit.words(for: value, "--\(name)")
    return translation.count == 2 ? AriaLine.pair(translation[0], translation[1]) : translation
  }

  private func run() throws(Failure) -> [String] {
    var line = try translated("max-overall-download-limit")
    if let text = words["max-concurrent-downloads"] {
      let jobs = try OptionValue.count(text, "--max-concurrent-downloads", 1...Int(Int32.max))
      line += ["--max-concurrent-downloads", "\(min(jobs, JobsLimit.range.upperBound))"]
    }
    return line
  }

  /// Returns the limit of connections, which is the smaller of two numbers in aria2.
  private func connections() throws(Failure) -> [String] {
    var limits: [Int] = []
    for name in ["split", "max-connection-per-server"] {
      guard let text = words[name] else { continue }
      limits.append(try OptionValue.count(text, "--\(name)", 1...Int(Int32.max)))
    }
    return AriaMeaning.connections(limits).map { ["--max-connections", "\($0)"] } ?? []
  }

  /// Returns the options for the user, for .netrc and for the proxy.
  private func access(_ url: RequestURL?) -> [String] {
    var line: [String] = []
    let kind = AriaMeaning.account(for: url?.scheme ?? "http")
    if let user = words["\(kind)-user"] {
      line += AriaLine.pair("--user", "\(user):\(words["\(kind)-passwd"] ?? "")")
    } else if let file = words["netrc-path"] ?? usualNetrc, !words.isOn("no-netrc") {
      line += ["--netrc-file", file]
    }
    // For a list, the schemes of its URLs are not known yet.
    let names = url.map { AriaMeaning.proxies(for: $0.scheme) } ?? ["https-proxy", "http-proxy", "all-proxy"]
    guard let name = names.first(where: words.has) else { return line }
    line += ["--proxy", words[name] ?? ""]
    if words[name] != nil, let user = words["\(name)-user"] {
      line += AriaLine.pair("--proxy-user", "\(user):\(words["\(name)-passwd"] ?? "")")
    }
    return line
  }

  private var usualNetrc: String? {
    surroundings.environment["HOME"].map { PathText.join($0, ".netrc") }.flatMap {
      surroundings.kind($0) == .file ? $0 : nil
    }
  }

  /// The name of the file if there is only one. aria2 always takes it as a path below the directory.
  private var output: String? {
    guard let name = words["out"] else { return nil }
    let isBelow = words["dir"] != nil && name.hasPrefix("/")
    return name == "-" ? "./-" : isBelow ? "." + name : name
  }

  /// Returns the partial file to continue: the target itself, if `-c` is given, or if a control file of aria2 exists
  /// beside it.
  private func partial(_ url: RequestURL, _ output: String?) -> String? {
    guard Scheme(url)?.speaksHTTP ?? false, !words.isOn("conditional-get") else { return nil }
    let directory = PathText.absolute(words["dir"] ?? "", from: surroundings.currentDirectory)
    let path = PathText.absolute(output ?? FileName.fromURLPath(url.path), from: directory)
    guard surroundings.kind(path) == .file else { return nil }
    return words.isOn("continue") || surroundings.kind(path + Adoption.controlSuffix) == .file ? path : nil
  }

  /// Returns the policy for a target that already exists. A file that `-c` cannot continue stays as it is.
  private func conflict() throws(Failure) -> [String] {
    if words.isOn("conditional-get") { return ["--if-changed", "--on-conflict", "fail"] }
    let isContinued = words.isOn("continue")
    var line: [String] = []
    if isContinued, let habit = Habit.named("--continue") { line = try habit.words(for: "", "--continue") }
    if words.isOn("allow-overwrite") { return line + ["--on-conflict", "overwrite"] }
    return line + ["--on-conflict", isContinued || words.isOff("auto-file-renaming") ? "fail" : "rename"]
  }

  /// Returns the commands that aria2 runs when a job ends. They are called with an identifier, the number of files, and
  /// the path.
  private func hooks() -> [String] {
    let pairs = [("on-download-complete", "--on-complete"), ("on-download-error", "--on-error")]
    return pairs.flatMap { name, option -> [String] in
      guard let command = words[name] else { return [] }
      let call = #"exec "$0" "$DRAY_JOB_ID" 1 "$DRAY_JOB_TARGET""#
      return [option, CommandWords.joined(["/bin/sh", "-c", call, command])]
    }
  }

  // MARK: Words

  /// Returns an option with its value. The two become one word if the parser would otherwise take the value for an
  /// option.
  private static func pair(_ option: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value]
  }

  private static func url(_ text: String) -> RequestURL? {
    (try? RequestURL.parse(SchemeGuess(text)?.text ?? text))?.url
  }

  private static func hasUser(_ text: String) -> Bool { (try? RequestURL.parse(text))?.userInfo != nil }

  /// Whether a line is a header field that dray passes on, because dray does not set that field itself.
  private static func isKept(_ line: String) -> Bool {
    do throws(FieldObjection) {
      _ = try FieldLine.parse(line)
      return true
    } catch {
      switch error {
      case .isOwn, .noColon: return false
      // Errors in such lines are reported when dray's own command line is read.
      case .notAName, .controlCharacter: return true
      }
    }
  }

  private static func isTorrent(_ text: String) -> Bool {
    text.lowercased().hasPrefix("magnet:") || !text.contains("://") && text.lowercased().hasSuffix(".torrent")
  }

  private static func torrent(_ text: String) -> Failure {
    OptionValue.bad(InputList.place(text), "dray does not speak BitTorrent; aria2 does")
  }

  /// The options that are translated together, or that concern the line itself.
  private static let own: Set<String> = [
    "all-proxy", "allow-overwrite", "auto-file-renaming", "checksum", "conditional-get", "continue", "dir",
    "dns-timeout", "dry-run", "ftp-proxy", "http-proxy", "https-proxy", "max-connection-per-server",
    "max-concurrent-downloads", "max-overall-download-limit", "netrc-path", "out", "parameterized-uri", "quiet",
    "referer", "remote-time", "retry-wait", "split",
  ]

  /// The options that change a download in aria2, and for which dray has none. A remark lists those that were given.
  private static let unused = [
    "async-dns-server", "dscp", "hash-check-only", "index-out", "log", "multiple-interface", "no-proxy",
    "on-download-pause", "on-download-start", "on-download-stop", "show-files", "stop", "stop-with-process",
  ]
}
