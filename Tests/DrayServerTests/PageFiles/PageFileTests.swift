// The page's files as they are sent.

import DrayPage
import Foundation
import Testing
import WebServer

@testable import DrayServer

@Suite struct PageFileTests {
  @Test func allFilesAreThere() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/DrayPage/Page").standardized
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
    let files = Dictionary(uniqueKeysWithValues: PageFile.all.map { ($0.path, $0) })
    #expect(files.count == paths.count)
    for path in paths {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let file = files[name == "index.html" ? "/" : "/page/" + name]
      #expect(try file?.bytes == Array(Data(contentsOf: folder.appending(path: path))), "\(name)")
      #expect(file?.type != "application/octet-stream", "\(name)")
    }
  }

  @Test("the service worker may answer for the page, no other file may")
  func serviceWorker() {
    for file in PageFile.all {
      let scope = PageFile.answer(WebRequest(path: file.path))?.fields["Service-Worker-Allowed"]
      #expect(scope == (file.path == "/page/worker.js" ? "/" : nil), "\(file.path)")
    }
  }

  @Test(
    arguments: [
      ("GET", "/", nil, 200), ("HEAD", "/", nil, 200), ("POST", "/", nil, 405), ("GET", "/page/main.js", nil, 200),
      ("GET", "/page/", nil, nil), ("GET", "/page/absent.js", nil, nil), ("GET", "/", "tag", 304),
      ("GET", "/", "\"x\", tag", 304), ("GET", "/", "\"x\"", 200), ("GET", "/page/%6dain.js", nil, nil),
    ] as [(String, String, String?, Int?)])
  func answers(method: String, path: String, known: String?, status: Int?) throws {
    let tag = try #require(PageFile.answer(WebRequest(method: "GET", path: "/", query: nil))?.fields["ETag"])
    var request = WebRequest(method: method, path: path, query: "add=1")
    request.fields["If-None-Match"] = known?.replacingOccurrences(of: "tag", with: tag)
    let response = PageFile.answer(request)
    #expect(response?.status == status)
    if status == 200 {
      #expect(response?.fields["Content-Encoding"] == nil && response?.fields["Cache-Control"] == "no-cache")
    }
  }
}
