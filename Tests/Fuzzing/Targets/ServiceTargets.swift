// Names and answers of services: releases on GitHub, records with a DOI.

import Foundation

@testable import DrayCore
@testable import DrayDocuments
@testable import DrayKit

extension FuzzTarget {
  private static let service = try? RequestURL.parse("https://a.example/api/records/5").url

  private static let jsonWords = [
    "{", "}", "[", "]", ":", ",", "null", "true", "-1", "1e9", "\"..\"", "\"\"", "\"id\"", "\"files\"", "\"entries\"",
    "\"key\"", "\"name\"", "\"size\"", "\"checksum\"", "\"digest\"", "\"md5:", "\"sha256:", "\"links\"", "\"content\"",
    "\"http://a.example/f\"", "\"https://a.example/f\"", "\"\\u202e\"",
  ]

  private static func holdAnswer(_ answer: SourceAnswer) throws(Violation) {
    try holdPrintable(answer.pinned.text, "a pinned name")
    try holdPrintable(answer.revision ?? "", "a revision")
    for remark in answer.remarks { try holdPrintable(remark, "a remark") }
    for entry in answer.entries {
      let file = entry.file
      try hold(file.urls.allSatisfy { $0.scheme == "https" } && !file.urls.isEmpty, "a file is somewhere by https")
      try hold(file.size ?? 0 >= 0, "a size is none below 0")
      for part in (file.name ?? "").split(separator: "/", omittingEmptySubsequences: false) {
        try holdName(String(part))
      }
    }
  }

  private static func holdFailure(_ failure: Failure) throws(Violation) {
    try holdPrintable(failure.message(.plain), "an error")
    try hold(failure.message(.plain).utf8.count < 20_000, "an error is short")
  }

  static let gitHubNames = FuzzTarget(
    "names on GitHub", words: ["o/r", "@", "/", "//", "%2F", "%", "..", "refs/tags/", "latest", "*", "h:80", "[::1]"],
    seeds: ["o/r@v1/*.deb", "//ghe.example/o/r@a%2Fb/source.zip", "o/r"]
  ) { (text: String) throws(Violation) in
    let name: GitHubName
    do throws(DocumentError) { name = try GitHubName(SourceName(scheme: "gh", rest: text)) } catch {
      return try holdFailure(error.failure("x"))
    }
    for reference in ["v1", "a/b", "latest"] {
      let again = try? GitHubName(name.pinned(to: reference))
      try hold(again?.reference == reference && again?.pattern == name.pattern, "a pinned name means the same")
      try hold(again?.owner == name.owner && again?.host == name.host, "a pinned name means the same server")
    }
  }

  static let gitHubReleases = FuzzTarget(
    "releases on GitHub", words: jsonWords,
    seeds: [
      """
      {"id":7,"tag_name":"v","draft":false,"assets":[{"id":1,"name":"a","state":"uploaded","size":3,\
      "digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",\
      "browser_download_url":"https://a.example/a"},{"id":2,"name":"b","digest":null}]}
      """
    ]
  ) { (text: String) throws(Violation) in
    guard let service, let server = GitHubServer(host: GitHubServer.main) else { return }
    let release: GitHubRelease
    do throws(DocumentError) { release = try GitHubRelease.parse(Array(text.utf8), base: service) } catch {
      return try holdFailure(error.failure("x"))
    }
    let name = SourceName(scheme: "gh", rest: "o/r")
    guard let wanted = try? GitHubName(name) else { return }
    let answer: SourceAnswer
    do throws(Failure) {
      answer = try wanted.answer(name, release.tag, release.assets, on: server, .everybody)
    } catch { return try holdFailure(error) }
    try holdAnswer(answer)
  }

  private enum RecordForm: CaseIterable {
    case invenio, figshare, dataverse, links

    func files(in bytes: [UInt8], base: RequestURL) throws(DocumentError) -> RecordFiles {
      switch self {
      case .invenio: try InvenioRecord.parse(bytes, base: base).files
      case .figshare: try FigshareArticle.parse(bytes, base: base, id: "5", version: nil).files
      case .dataverse: try DataverseDataset.parse(bytes, base: base)
      case .links: try LandingLinks.parse(bytes, base: base, page: base)
      }
    }
  }

  static let records = FuzzTarget(
    "records with a DOI",
    words: jsonWords + ["\"latestVersion\"", "\"dataFile\"", "\"linkset\"", "\"item\"", "\"href\""],
    seeds: [
      """
      {"id":5,"doi":"10.1/x","files":[{"key":"a","size":1,"checksum":"md5:d41d8cd98f00b204e9800998ecf8427e",\
      "links":{"self":"https://a.example/a"}}]}
      """,
      "{\"id\":\"k\",\"files\":{\"enabled\":true,\"entries\":{\"a\":{\"key\":\"d/a\",\"links\":{\"content\":\"/a\"}}}}}",
      """
      {"id":5,"version":1,"folder_structure":{"1":"d"},"files":[{"id":1,"name":"a","size":1,\
      "computed_md5":"d41d8cd98f00b204e9800998ecf8427e","download_url":"https://a.example/a"}]}
      """,
      """
      {"status":"OK","data":{"latestVersion":{"versionNumber":1,"files":[{"label":"a","directoryLabel":"d",\
      "dataFile":{"id":1,"filesize":1,"checksum":{"type":"SHA-1","value":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}}}]}}}
      """,
      "{\"linkset\":[{\"anchor\":\"https://a.example/\",\"item\":[{\"href\":\"/a\"},{\"href\":\"/b/content\"}]}]}",
    ]
  ) { (text: String) throws(Violation) in
    guard let service, let doi = DOIName("10.1/x") else { return }
    let bytes = Array(text.utf8)
    for form in RecordForm.allCases {
      let files: RecordFiles
      do throws(DocumentError) { files = try form.files(in: bytes, base: service) } catch {
        try holdFailure(error.failure("x"))
        continue
      }
      try holdAnswer(files.answer(doi, host: "a.example"))
    }
  }

  static let gitHubHosts = FuzzTarget(
    "logins of gh", words: ["github.com:", "\n", "    ", "oauth_token:", "users:", "user:", "\"", "'", "#", ":"],
    seeds: ["github.com:\n    user: a\n    oauth_token: t\n    users:\n        a:\n            oauth_token: t\n"]
  ) { (text: String) throws(Violation) in
    let token = TokenPlaces.gitHubToken(in: text, host: "github.com")
    try hold(token != "" && !(token ?? "").contains(where: \.isNewline), "a token is a text in one line")
  }
}
