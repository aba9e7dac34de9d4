// The page's files as they are sent.

import Foundation
import Testing

@testable import DrayServer

@Suite struct PageFileTests {
  @Test func allFilesAreThere() {
    #expect(PageFile.all.contains { $0.path == "/" && $0.type == "text/html; charset=utf-8" })
    for file in PageFile.all { #expect(String(validating: file.content, as: UTF8.self) != nil, "\(file.path)") }
    #expect(PageFile.all.reduce(0) { $0 + $1.content.count } <= 200_000)
  }

  @Test(
    arguments: [
      ("GET", "/", nil, 200), ("HEAD", "/", nil, 200), ("POST", "/", nil, 405), ("GET", "/page/main.js", nil, 200),
      ("GET", "/page/", nil, nil), ("GET", "/page/absent.js", nil, nil), ("GET", "/", "tag", 304),
      ("GET", "/", "\"x\", tag", 304), ("GET", "/", "\"x\"", 200), ("GET", "/page/%6dain.js", nil, nil),
    ] as [(String, String, String?, Int?)])
  func answers(method: String, path: String, known: String?, status: Int?) throws {
    let tag = try #require(PageFile.all.first { $0.path == "/" }?.tag)
    var request = WebRequest(method: method, path: path, query: "add=1")
    request.fields["If-None-Match"] = known?.replacingOccurrences(of: "tag", with: tag)
    let response = PageFile.answer(request)
    #expect(response?.status == status)
    if status == 200 {
      #expect(response?.fields["Content-Encoding"] == nil && response?.fields["Cache-Control"] == "no-cache")
    }
  }
}
