// Lists of other programs under -i and as operands.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Lists of other programs under -i")
struct ForeignListTests {
  private static let hex = String(repeating: "0f", count: 32)
  private static let conda = "@EXPLICIT\nhttps://h.example/x/a.conda#sha256:\(hex)\n"
  private static let bag = "https://h.example/x 3 data/a b\n"

  @Test("as an operand, under -i and on standard input", arguments: [["list"], ["-i", "list"], ["-i", "-"]])
  func places(_ arguments: [String]) throws {
    let jobs = try specifications(arguments, .fixed(files: ["/base/list": Self.conda], input: Self.conda))
    let job = try #require(jobs.first)
    #expect(jobs.count == 1 && job.request.url.string == "https://h.example/x/a.conda" && job.output == "a.conda")
    #expect(job.options.digest?.hex == Self.hex && job.options.digestSource?.rawValue == "conda's list")
  }

  @Test("the files of a bag are below the directory, with the digests of the manifest beside the list")
  func bag() throws {
    let files = ["/base/b/fetch.txt": Self.bag, "/base/b/manifest-sha256.txt": "\(Self.hex)  data/a b\n"]
    let job = try #require(try specifications(["-i", "b/fetch.txt", "-d", "out"], .fixed(files: files)).first)
    #expect(job.directory == "/base/out/data" && job.output == "a b" && job.foreignDepth == 1)
    #expect(job.options.digest?.hex == Self.hex && job.options.expectedSize == 3)
    let alone = try #require(try specifications(["-i", "-"], .fixed(input: Self.bag)).first)
    #expect(alone.options.digest == nil)
  }

  @Test("errors name the line; other files are refused as operands, as before")
  func errors() throws {
    let files = ["/base/bad": "@EXPLICIT\nhttps://h.example/a#1\n", "/base/urls": "https://h.example/a\n"]
    let bad = try #require(refusal(["-i", "bad"], .fixed(files: files)))
    #expect(bad.subject == "bad:2" && bad.message.contains("conda") && bad.message.contains("nothing was queued"))
    let left = "@EXPLICIT\nhttps://h.example/x/a.conda\n/home/ann/b.conda\n"
    var list = InputList()
    #expect(try list.read(list: Array(left.utf8), at: nil, name: "left", keepsName: true, .fixed()))
    #expect(list.remarks.count == 1 && list.remarks[0].hasPrefix("left:3: \"/home/ann/b.conda\""), "\(list.remarks)")
    #expect(refusal(["bad"], .fixed(files: files))?.subject == "bad:2")
    #expect(try #require(refusal(["urls"], .fixed(files: files))).message.contains("it is a file here; -i reads URLs"))
  }

  @Test("-o names the file of a list with one file")
  func output() throws {
    let job = try #require(
      try specifications(["-i", "list", "-o", "mine"], .fixed(files: ["/base/list": Self.conda])).first)
    #expect(job.output == "mine")
  }
}
