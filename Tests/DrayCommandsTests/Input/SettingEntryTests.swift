// Each way to give a setting, tried with each row of the table. A row that one of them ignores fails here.

import ArgumentParser
import DrayDocuments
import DrayKit
import Foundation
import Testing

@testable import DrayCommands
@testable import DrayServer

@Suite struct SettingEntryTests {
  /// Values for the settings that do not take an arbitrary word.
  private static let values: [String: String] = [
    "priority": "5", "after": "3", "start-at": "2100-01-01", "between": "Sat", "on-conflict": "rename",
    "resume": "always",
    "checksum": "crc32=00112233", "size": "7", "expect-type": "image/*", "allow-type": "image/*", "verify": "auto",
    "verify-key": "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3", "mirror": "http://m/f",
    "seed": "file", "zsync": "http://m/f.zsync",
    "max-connections": "4", "limit-rate": "1k", "max-time": "9", "max-filesize": "1k", "retries": "9",
    "retry-wait": "9", "max-retry-wait": "9", "retry-status": "403",
    "header": "X-A: 1", "cookie": "a=b", "cookie-jar": "jar",
    "proxy": "http://p:1", "cacert": "ca.pem", "resolve": "h:80:127.0.0.1", "connect-timeout": "9",
    "stall-timeout": "9", "pace": "10/s", "jitter": "9", "max-redirs": "3", "proto": "=http",
    "user": "ann:pw", "netrc-file": "file", "cert": "file",
    "key": "ca.pem",
    "pinnedpubkey": "file", "capath": "dir", "proxy-user": "p:q", "endpoint-url": "http://s3:1", "dir": "dir",
    "sse": "AES256", "meta": "a=b", "tag": "a=b", "upload-memory": "64M",
    "hostpubsha256": String(repeating: "a", count: 43),
  ]

  private static func value(_ setting: Setting) -> String { setting.isFlag ? "yes" : values[setting.name] ?? "word" }

  /// Settings that need another option or a particular scheme, or that this libcurl may lack.
  private static let needsMore: Set<String> = [
    "verify-key", "key", "pass", "ntlm", "negotiate", "proxy-ntlm", "proxy-negotiate", "endpoint-url", "aws-profile",
    "aws-region", "no-sign-request", "target-profile",
  ]

  private static let typed = Setting.typed.map(\.name)
  private static let alone = typed.filter { !needsMore.contains($0) }
  /// These exist only in lists, or have another name.
  private static let onlyInLists: Set<String> = ["size", "out"]
  private static let options = Setting.typed.filter { !onlyInLists.contains($0.name) }

  // MARK: Parsed once for all rows, because a parser takes long to build

  /// The lines of settings that exclude one of line 0. All others are on line 0.
  private static let laterLines = [
    "ipv6": 1, "http2": 1, "http3": 2, "digest": 1, "anyauth": 2, "proxy-digest": 1, "proxy-anyauth": 2, "ssl-reqd": 1,
    "oauth2-bearer": 3,
  ]
  private static let lines = 0..<4
  private static func line(_ name: String) -> Int { laterLines[name] ?? 0 }

  /// Makes something of the settings of each line.
  private static func perLine<Made: Sendable>(_ make: ([Setting]) throws -> Made) -> [Result<Made, any Error>] {
    lines.map { number in
      let settings = Setting.typed.filter { alone.contains($0.name) && line($0.name) == number }
      return Result { try make(settings) }
    }
  }

  private static func words(_ settings: [Setting]) -> [String] {
    settings.map { $0.isFlag ? "--\($0.name)" : "--\($0.name)=\(value($0))" } + ["http://h/f"]
  }

  private static let bits = 0..<7
  private static func isOn(_ bit: Int, _ index: Int) -> Bool { (index + 1) >> bit & 1 == 1 }

  /// The settings that command lines give. An option is on the lines of the bits of its number, so no two options are on
  /// the same lines: a property that reads another option is found.
  private static let given: Result<[[GivenSetting]], any Error> = Result {
    try bits.map { bit in
      let add = try Add.parse(words(options.indices.filter { isOn(bit, $0) }.map { options[$0] }))
      return TypedSettings.given(by: add.job) + TypedSettings.given(by: add.request)
    }
  }

  /// The jobs of command lines.
  private static let made: [Result<JobSpecification?, any Error>] = perLine { settings in
    try specifications(words(settings.filter { !onlyInLists.contains($0.name) })).first
  }

  private static let fromInput: Result<(job: JobArguments, request: RequestArguments), any Error> = Result {
    let get = try Get.parse(["-i", "-"])
    return (job: get.job, request: get.request)
  }

  /// Returns the first job of a list.
  private static func job(inList text: String) throws -> JobSpecification {
    let arguments = try fromInput.get()
    let list = try Operands.specifications(arguments.job, arguments.request, .fixed(input: text))
    return try #require(list.first)
  }

  /// Returns a line of JSON.
  private static func json(_ settings: [Setting]) -> String {
    let members = settings.map { setting -> String in
      let word = value(setting)
      let text: String =
        switch setting.shape {
        case .boolean: "true"
        case .integer, .integers: word
        case .strings: "[\"\(word)\"]"
        default: "\"\(word)\""
        }
      return "\"\(setting.field)\": \(text)"
    }
    return "{" + (["\"url\": \"http://h/f\""] + members).joined(separator: ", ") + "}\n"
  }

  /// The jobs of lists: of a line of JSON, and of a URL with indented lines.
  private static let listed: [Result<[JobSpecification], any Error>] = perLine { settings in
    let own = settings.filter(\.isForLists)
    let mirrors = own.filter { $0.name == "mirror" }.map { "\t" + value($0) }
    let indented = own.filter { $0.name != "mirror" }.map { "  \($0.name)=\(value($0))\n" }
    let text = "http://h/f" + mirrors.joined() + "\n" + indented.joined()
    return [try job(inList: json(own)), try job(inList: text)]
  }

  /// The changes that `dray set` makes.
  private static let changed: [Result<JobRevision, any Error>] = perLine { settings in
    let plain = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: "/base")
    let job = Job(id: 7, uuid: UUID(), specification: plain, addedAt: 1)
    let words = try SettingWords.parse(settings.map { "\($0.name)=\(value($0))" }).settings
    return try JobEditing.change(job, words.given(for: plain), prerequisites: [], .fixed())
  }

  /// The names of the options of all commands.
  private static let optionNames: Result<Set<String>, any Error> = Result { OptionCatalog(try reference()).names }

  private func setting(_ name: String) throws -> Setting { try #require(Setting.named(name)) }

  // MARK: The listeners

  @Test("each setting is an option of the command line", arguments: options.map(\.name))
  func option(_ name: String) throws {
    let setting = try setting(name)
    let number = try #require(Self.options.firstIndex { $0.name == name })
    let expected = GivenSetting(name: name, values: [Self.value(setting)])
    let given = try Self.given.get()
    for bit in Self.bits {
      let isThere = given[bit].contains(expected)
      #expect(isThere == Self.isOn(bit, number), "a property has its name")
    }
    let help = try #require(setting.help)
    #expect(!help.abstract.isEmpty && !help.abstract.contains("{"))
    guard Self.alone.contains(name) else { return }
    let made = try #require(try Self.made[Self.line(name)].get())
    #expect(!setting.isUnset(in: made))
  }

  @Test("the command lines tell all options apart")
  func enoughLines() { #expect(Self.options.count < 1 << Self.bits.count) }

  @Test("commands that make requests or fetch files share the options for that")
  func commands() throws {
    let catalog = OptionCatalog(try reference())
    func options(_ command: String) throws -> Set<String> { Set(try #require(catalog.command([command])).options.keys) }
    let all = try options("add")
    #expect(try options("get").isSuperset(of: all.subtracting(["quiet", "unique"])))
    // The rows for requests are contiguous, starting with header.
    let request = Set(Self.typed.drop { $0 != "header" })
    let objects: Set = ["target-profile", "storage-class", "sse", "acl", "meta", "tag", "upload-memory"]
    for command in ["feed", "sync"] {
      #expect(try request.subtracting(options(command)).isEmpty, "\(command)")
    }
    // It fetches no file.
    #expect(try request.subtracting(options("info")) == objects)
    for name in ["limit-rate", "max-time", "max-filesize", "retries", "retry-wait", "max-retry-wait"] {
      #expect(try options("sync").contains(name))
    }
  }

  @Test("each setting works in lists and in lines of JSON", arguments: alone)
  func lists(_ name: String) throws {
    let setting = try setting(name)
    guard setting.isForLists else {
      let failure = #expect(throws: Failure.self) { try Self.job(inList: Self.json([setting])) }
      #expect(failure?.reason.contains("must not set this") == true)
      return
    }
    let jobs = try Self.listed[Self.line(name)].get()
    #expect(!setting.isUnset(in: jobs[0]))
    #expect(setting.values(jobs[0]) == setting.values(jobs[1]))
  }

  @Test("a line of JSON and indented lines make the same job", arguments: lines)
  func forms(_ line: Int) throws {
    let jobs = try Self.listed[line].get()
    #expect(jobs[0] == jobs[1])
  }

  @Test("dray set changes each setting, and dray export writes it", arguments: alone)
  func setAndExport(_ name: String) throws {
    let setting = try setting(name)
    let changed = try Self.changed[Self.line(name)].get()
    // Prerequisites are not part of the specification.
    let isSet = name == "after" ? changed.after == [3] : !setting.isUnset(in: changed.specification)
    #expect(isSet)
    let exported = Job(id: 7, uuid: UUID(), specification: changed.specification, addedAt: 1)
    let line = ExportLine(exported, prerequisites: [3], sums: BlockSums(), reveals: true).json.text
    #expect(name == "after" || line.contains("\"\(setting.field)\":"))
  }

  @Test("the configuration accepts each setting, or gives the reason why not", arguments: typed)
  func configuration(_ name: String) throws {
    let setting = try setting(name)
    let isOption = try Self.optionNames.get().contains(name)
    #expect(isOption || ConfigurationKeys.refusal(name) != nil || name == "out")
    if setting.isOfOneServer { #expect(ConfigurationKeys.refusal(name) != nil) }
    let value = setting.isFlag ? "true" : "\"\(setting.isFile ? "/etc/hostname" : Self.value(setting))\""
    let document = try ConfigurationDocument.parse("[host.\"h\"]\n\(name) = \(value)\n")
    let rules = Result { try HostSections.rules(document, ValuePaths(file: "/c.toml", home: nil)) }
    #expect((try? rules.get()) != nil || !HostSettings.keys.contains(name) || setting.isFile)
  }

  @Test("the names of settings in aria2 are options of aria2, and name one setting each")
  func aria2() {
    let names = Setting.all.compactMap(\.foreign.aria2)
    #expect(Set(names).count == names.count)
    for name in names { #expect(AriaOption.names.contains(name), "\(name)") }
  }

  @Test("the API has a field for each setting, refuses it, or does not know it", arguments: typed)
  func clients(_ name: String) throws {
    let setting = try setting(name)
    let fields = JobOrder.fields.map(\.name)
    switch setting.client {
    case .field(let field, _, _): #expect(fields.contains(field) && setting.isPlain)
    case .refused: #expect(ForbiddenField.refusal(of: name, at: "x") != nil)
    case .none: #expect(ForbiddenField.refusal(of: name, at: "x") == nil)
    }
    // Clients do not get settings that the configuration may not set for all jobs.
    if setting.isOfOneServer { #expect(!setting.isForClients) }
  }
}
