// URLs that clients add, change and remove.

import DrayCore
import Testing

@testable import DrayServer

@Suite struct JobURLsTests {
  @Test(arguments: [
    (["http://a/f", "https://b/f", "ftp://c/f"], ["http://a/f", "https://b/f", "ftp://c/f"]),
    (["file:///etc/passwd", "http://a/f"], ["http://a/f"]), (["http://a/f", "http://a/f"], ["http://a/f"]),
    (["nonsense", "s3://bucket/key", "http://a/f"], ["http://a/f"]),
  ])
  func new(_ texts: [String], _ urls: [String]) throws {
    #expect(try JobURLs(texts).all.map(\.string) == urls)
  }

  @Test(arguments: [
    "file:///etc/passwd", "s3://bucket/key", "magnet:?xt=urn:btih:0", "", "http://", "http://a/\u{0}",
    "javascript:alert(1)", "http://a/f?token=…", "http://a/f?token=%E2%80%A6",
  ])
  func none(_ text: String) {
    #expect(throws: JobURLs.Refusal.self) { try JobURLs([text]) }
  }

  /// Another URL of the same server changes nothing but the time that it takes.
  @Test(arguments: [
    "http://a/f", "http://a/f?x=1#y", "http://a:80/f", "http://a", "http://a?x", "http://ab/f", "http://me:pw@a/f",
    "http://a/../f", "http://a/./f", "http://a/f b", "http://a/%7Ef", "HTTP://A/f", " http://a/f ", "http://a/é",
    "http://a/f?token=…", "http://a/f?token=%E2%80%A6", "http://a/\u{0}", "https://a/f", "file:///f", "",
  ])
  func near(_ text: String) throws {
    for other in ["http://a/", "http://a/g?h", "https://a/", "http://b/"] {
      let url = try RequestURL.parse(other).url
      #expect((try? JobURLs([text], near: url)) == (try? JobURLs([text])))
    }
  }

  @Test(
    arguments: [
      (["http://a/"], ["http://x/"], nil, ["http://b/", "http://x/"], 1, 1),
      ([], ["http://x/"], 0, ["http://x/", "http://a/", "http://b/"], 0, 1),
      ([], ["http://x/", "http://y/"], 1, ["http://a/", "http://x/", "http://y/", "http://b/"], 0, 2),
      ([], ["http://x/"], 99, ["http://a/", "http://b/", "http://x/"], 0, 1),
      (["http://a/", "http://b/"], [], nil, ["http://a/", "http://b/"], 0, 0),
      (["http://no/"], ["nonsense"], nil, ["http://a/", "http://b/"], 0, 0),
    ] as [([String], [String], Int?, [String], Int, Int)])
  func changed(
    _ removed: [String], _ added: [String], _ position: Int?, _ urls: [String], _ deleted: Int, _ new: Int
  ) throws {
    var all = try JobURLs(["http://a/", "http://b/"])
    let counts = all.change(removing: removed, adding: added, at: position)
    #expect(counts.0 == deleted)
    #expect(counts.1 == new)
    #expect(all.all.map(\.string) == urls)
  }

  @Test func aURLIsRemovedByItsShownForm() throws {
    var all = try JobURLs(["http://a/f?X-Amz-Signature=abc", "http://b/"])
    #expect(all.all[0].description == "http://a/f?X-Amz-Signature=…")
    #expect(all.change(removing: ["http://a/f?X-Amz-Signature=…"], adding: [], at: nil) == (1, 0))
    #expect(all.all.map(\.string) == ["http://b/"])
  }

  @Test func theUserOfAURL() throws {
    var job = JobSpecification(request: TransferRequest(url: try RequestURL.parse("http://x/").url), directory: "/d")
    try JobURLs(["http://me:pw@a/f", "http://other:no@b/f"]).apply(to: &job)
    #expect(job.request.credentials == Credentials(user: "me", password: "pw"))
    #expect(job.request.url.string == "http://a/f")
    #expect(job.options.mirrors?.map(\.string) == ["http://b/f"])
  }

  @Test(
    arguments: [
      (.set, 0, 0), (.set, 9, 4), (.set, -1, 0), (.current, 1, 3), (.current, -1, 1), (.current, .min, 0),
      (.current, .max, 4), (.end, 0, 4), (.end, -1, 3), (.end, 1, 4), (.end, .min, 0),
    ] as [(Aria2Controlling.Way, Int64, Int)])
  func placesInTheQueue(_ way: Aria2Controlling.Way, _ offset: Int64, _ target: Int) {
    #expect(way.target(offset, from: 2, count: 5) == target)
  }
}
