// Each way to give a setting, tried with each row of the table. A row that one of them ignores fails here.

import ArgumentParser
import DrayDocuments
import DrayKit
import Foundation
import Testing

@testable import DrayCommands
@testable import DrayServer

@Suite struct SettingDoorsTests {
  /// Values for the settings that do not take an arbitrary word.
  private static let values: [String: String] = [
    "priority": "5", "after": "3", "start-at": "2100-01-01", "between": "Sat", "on-conflict": "rename",
    "resume": "always",
    "checksum": "crc32=00112233", "size": "7", "expect-type": "image/*", "allow-type": "image/*", "verify": "auto",
    "verify-key": "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3", "mirror": "http://m/f",
    "max-connections": "4", "limit-rate": "1k", "max-time": "9", "max-filesize": "1k", "retries": "9",
    "retry-wait": "9", "max-retry-wait": "9", "retry-status": "403",
    "header": "X-A: 1", "cookie": "a=b", "cookie-jar": "jar",
    "proxy": "http://p:1", "cacert": "ca.pem", "resolve": "h:80:127.0.0.1", "connect-timeout": "9",
    "stall-timeout": "9", "pace": "10/s", "jitter": "9", "max-redirs": "3", "proto": "=http",
    "user": "ann:pw", "netrc-file": "file", "cert": "file",
    "key": "ca.pem",
    "pinnedpubkey": "file", "capath": "dir", "proxy-user": "p:q", "endpoint-url": "http://s3:1", "dir": "dir",
    "hostpubsha256": String(repeating: "a", count: 43),
  ]

  private static func value(_ setting: Setting) -> String { setting.isFlag ? "yes" : values[setting.name] ?? "word" }

  /// Settings that need another option or a particular scheme, or that this libcurl may lack.
  private static let needsMore: Set<String> = [
    "verify-key", "key", "pass", "ntlm", "negotiate", "proxy-ntlm", "proxy-negotiate", "endpoint-url", "aws-profile",
    "aws-region", "no-sign-request",
  ]

  private static let typed = Setting.typed.map(\.name)
  private static let alone = typed.filter { !needsMore.contains($0) }

  private func setting(_ name: String) throws -> Setting { try #require(Setting.named(name)) }

  @Test("each setting is an option of the command line", arguments: typed)
  func option(_ name: String) throws {
    let setting = try setting(name)
    // These exist only in lists, or have another name.
    guard !["size", "out"].contains(name) else { return }
    let words = setting.isFlag ? ["--\(name)"] : ["--\(name)=\(Self.value(setting))"]
    let add = try Add.parse(words + ["http://h/f"])
    let given = TypedSettings.given(by: add.job) + TypedSettings.given(by: add.request)
    #expect(given.contains(GivenSetting(name: name, values: [Self.value(setting)])), "a property has its name")
    let help = try #require(setting.help)
    #expect(!help.abstract.isEmpty && !help.abstract.contains("{"))
    guard Self.alone.contains(name), name != "mirror" else { return }
    let made = try #require(try specifications(words + ["http://h/f"]).first)
    #expect(!setting.isUnset(in: made))
  }

  @Test("commands that make requests or fetch files share the options for that")
  func commands() throws {
    let catalog = OptionCatalog(try reference())
    func options(_ command: String) throws -> Set<String> { Set(try #require(catalog.command([command])).options.keys) }
    let all = try options("add")
    #expect(try options("get").isSuperset(of: all.subtracting(["quiet"])))
    // The rows for requests are contiguous, starting with header.
    let request = Set(Self.typed.drop { $0 != "header" })
    for command in ["info", "feed", "sync"] {
      #expect(try request.subtracting(options(command)).isEmpty, "\(command)")
    }
    for name in ["limit-rate", "max-time", "max-filesize", "retries", "retry-wait", "max-retry-wait"] {
      #expect(try options("sync").contains(name))
    }
  }

  @Test("each setting works in lists and in lines of JSON", arguments: typed)
  func lists(_ name: String) throws {
    let setting = try setting(name)
    guard !Self.needsMore.contains(name) else { return }
    let value = Self.value(setting)
    let text: String =
      switch setting.shape {
      case .boolean: "true"
      case .integer, .integers: value
      case .strings: "[\"\(value)\"]"
      default: "\"\(value)\""
      }
    let json = "{\"url\": \"http://h/f\", \"\(setting.field)\": \(text)}\n"
    guard setting.isForLists else {
      #expect(refusal(["-i", "-"], .fixed(input: json))?.reason.contains("must not set this") == true)
      return
    }
    let made = try #require(try specifications(["-i", "-"], .fixed(input: json)).first)
    #expect(!setting.isUnset(in: made))
    guard name != "mirror" else { return }
    let line = try specifications(["-i", "-"], .fixed(input: "http://h/f\n  \(name)=\(value)\n")).first
    #expect(line == made)
  }

  @Test("dray set changes each setting, and dray export writes it", arguments: alone)
  func setAndExport(_ name: String) throws {
    let setting = try setting(name)
    let plain = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: "/base")
    let job = Job(id: 7, uuid: UUID(), specification: plain, addedAt: 1)
    let words = try SettingWords.parse(["\(name)=\(Self.value(setting))"]).settings
    let changed = try JobEditing.change(job, words.given(for: plain), prerequisites: [], .fixed())
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
    let catalog = OptionCatalog(try reference())
    #expect(catalog.option(name) != nil || ConfigurationKeys.refusal(name) != nil || name == "out")
    if setting.isOfOneServer { #expect(ConfigurationKeys.refusal(name) != nil) }
    let value = setting.isFlag ? "true" : "\"\(setting.isFile ? "/etc/hostname" : Self.value(setting))\""
    let document = try ConfigurationDocument.parse("[host.\"h\"]\n\(name) = \(value)\n")
    let rules = Result { try HostSections.rules(document, ValuePaths(file: "/c.toml", home: nil)) }
    #expect((try? rules.get()) != nil || !HostSettings.keys.contains(name) || setting.isFile)
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
