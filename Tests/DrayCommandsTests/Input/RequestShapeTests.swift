// From typed parameters and bodies to the bytes sent: curl's forms, and refusals.

import ArgumentParser
import DrayKit
import Foundation
import Testing

@testable import DrayCommands

@Suite struct RequestShapeTests {
  func shape(_ arguments: [String], files: [String: String] = [:], input: String = "") throws -> RequestShape {
    let get = try Get.parse(arguments + ["http://h/p"])
    return try RequestShape(get.body, .fixed(files: files, input: input), readsListFromInput: get.job.inputFile == "-")
  }

  /// The pieces of a body, with their filters.
  func pieces(_ arguments: [String]) throws -> [String] {
    guard case .pieces(let pieces, _)? = try shape(arguments, files: ["/base/f": "x"]).source else { return [] }
    return pieces.map { piece in
      let mark = piece.filter == .none ? "" : piece.filter == .formEncoded ? "enc:" : "strip:"
      return switch piece.content {
      case .text(let text): mark + text
      case .file(let path): mark + "<\(path)>"
      case .descriptor(let number): mark + "<\(number)>"
      case .bytes, .stream: mark + "?"
      }
    }
  }

  static let pieceTable: [([String], [String])] = [
    (["--data", "a=1"], ["a=1"]), (["--data", "a=1", "--data", "b"], ["a=1", "&", "b"]),
    (["--data", "@f"], ["strip:</base/f>"]), (["--data", "@-"], ["strip:<0>"]), (["--data-raw", "@f"], ["@f"]),
    (["--data-binary", "@f"], ["</base/f>"]), (["--data-urlencode", "a b"], ["enc:a b"]),
    (["--data-urlencode", "=a=b"], ["enc:a=b"]), (["--data-urlencode", "n=a@b"], ["n=", "enc:a@b"]),
    (["--data-urlencode", "n@f"], ["n=", "enc:</base/f>"]), (["--data-urlencode", "@f"], ["enc:</base/f>"]),
    (["-T", "f"], ["</base/f>"]), (["-T", "-"], ["<0>"]),
  ]

  @Test(arguments: pieceTable)
  func piecesOfABody(arguments: [String], expected: [String]) throws {
    #expect(try pieces(arguments) == expected)
  }

  static let methodTable: [([String], String?)] = [
    ([], nil), (["--data", "x"], "POST"), (["-F", "a=b"], "POST"), (["--json-body", "1"], "POST"),
    (["-T", "f"], "PUT"),
    (["-X", "delete"], "DELETE"), (["-X", "patch", "--data", "x"], "PATCH"), (["-G", "--data", "x"], nil),
    (["-X", "PURGE"], "PURGE"),
  ]

  @Test(arguments: methodTable)
  func method(arguments: [String], expected: String?) throws {
    #expect(try shape(arguments, files: ["/base/f": "x"]).method == expected)
  }

  static let urlTable: [([String], String)] = [
    (["--query", "a=b c", "--query", "d"], "http://h/p?a=b%20c&d"),
    (["-G", "--data", "x=1", "--data-urlencode", "y=a b&"], "http://h/p?x=1&y=a+b%26"),
    (["--query", "a=1", "-G", "--data", "b=2"], "http://h/p?a=1&b=2"), (["-T", "f"], "http://h/p"),
  ]

  @Test(arguments: urlTable)
  func urls(arguments: [String], expected: String) throws {
    let all = try specificationsSent(arguments + ["http://h/p"], files: ["/base/f": "x"])
    #expect(all.map(\.request.url.string) == [expected])
  }

  func specificationsSent(_ arguments: [String], files: [String: String] = [:]) throws -> [JobSpecification] {
    let get = try Get.parse(arguments)
    let surroundings = Surroundings.fixed(files: files)
    let shape = try RequestShape(get.body, surroundings)
    var list = try Operands.specifications(get.job, get.request, surroundings, shape)
    if shape.source != nil { list.send(RequestBody(path: "/spool", length: 3, contentType: "given/type"), of: shape) }
    return Array(list)
  }

  @Test func typedContentTypeGoesWithTheBody() throws {
    let request = try #require(specificationsSent(["--data", "x", "-H", "Content-Type: a/b", "http://h/"]).first)
      .request
    #expect(request.body?.contentType == "a/b")
    #expect(request.headers.isEmpty)
    let none = try #require(specificationsSent(["--data", "x", "-H", "Content-Type:", "http://h/"]).first).request
    #expect(none.body != nil && none.body?.contentType == nil)
    let json = try #require(specificationsSent(["--json-body", "{}", "http://h/"]).first).request
    #expect(json.headers == [HeaderField("Accept", "application/json")])
  }

  @Test func anAnswerThatCannotBeHadAgainIsNotLostToATakenName() throws {
    #expect(try specificationsSent(["--data", "x", "http://h/"]).first?.options.onConflict == .rename)
    #expect(try specificationsSent(["--data", "x", "-o", "n", "http://h/"]).first?.options.onConflict == .fail)
    #expect(try specificationsSent(["http://h/"]).first?.options.onConflict == .fail)
  }

  static let refusals: [([String], String)] = [
    (["--data", "x", "-F", "a=b"], "--data and --form"), (["-T", "f", "--json-body", "1"], "--upload-file"),
    (["--json-body", "{"], "not JSON"), (["--json-body", ""], "empty"), (["--json-body", "@gone"], "gone"),
    (["--plist-body", "hello"], "not a property list"), (["-F", "noname"], "needs a name"),
    (["-F", "=x"], "needs a name"),
    (["-F", "a=@"], "file name is missing"), (["-F", "a=@gone"], "no such file"),
    (["-F", "a=@f;type=x"], "media type"),
    (["-F", "a=@f;bogus=1"], "bogus"), (["-F", "a=@f;headers=\"Content-Type: x/y\""], "set otherwise"),
    (["-X", "GE T"], "not a method"), (["-X", "CONNECT"], "CONNECT"), (["-X", "HEAD"], "dray info"),
    (["-G", "-T", "f"], "--get"), (["-T", "-", "--data", "@-"], "--data and --upload-file"),
    (["-F", "a=@-", "-F", "b=<-"], "only once"), (["-i", "-", "-T", "-"], "only once"),
    (["--query", "=x"], "needs a name"),
    (["-T", "/base/dir"], "is a directory"),
  ]

  @Test(arguments: refusals)
  func refused(arguments: [String], part: String) throws {
    let failure = #expect(throws: Failure.self) { try shape(arguments, files: ["/base/f": "x"]) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.contains(part) == true, "\(failure?.message ?? "")")
  }

  @Test func redirectsThatKeepThePost() throws {
    let get = try Get.parse(["--post301", "--post303", "--max-redirs", "0", "http://h/p"])
    let made = try Operands.specifications(get.job, get.request, .fixed(), try shape(["--post301", "--post303"]))
    let options = try #require(made.first?.request.redirects)
    #expect(options.keepsMethodAfter == [301, 303] && options.limit == 0)
  }

  @Test func nothingOfABodyIsInAMessage() throws {
    for arguments in [["--json-body", "{hunter2"], ["--plist-body", "hunter2"], ["-F", "hunter2"]] {
      let failure = #expect(throws: Failure.self) { try shape(arguments) }
      #expect(failure?.message.contains("hunter2") == false)
    }
  }
}

@Suite struct FormPartTests {
  func part(_ text: String) throws -> MultipartPart {
    try FormPart.parse(text) { (path) throws(Failure) in "/abs/" + path }
  }

  /// `name|filename|type|content` of a part.
  func words(_ part: MultipartPart) -> String {
    let content =
      switch part.content {
      case .text(let text): text
      case .file(let path): "<\(path)>"
      case .descriptor: "<->"
      case .bytes, .stream: "?"
      }
    return "\(part.head.name)|\(part.head.fileName ?? "-")|\(part.head.contentType ?? "-")|\(content)"
  }

  @Test(arguments: [
    ("a=b", "a|-|-|b"), ("a=", "a|-|-|"), ("a=b=c", "a|-|-|b=c"), ("a=b;c", "a|-|-|b;c"),
    ("a=b;type=text/html", "a|-|text/html|b"), ("a=\"q\"", "a|-|-|\"q\""),
    ("a=@x.png", "a|x.png|image/png|</abs/x.png>"),
    ("a=@d/x.png;filename=\"y;z.png\"", "a|y;z.png|image/png|</abs/d/x.png>"),
    ("a=@\"x;y.txt\";type=a/b", "a|x;y.txt|a/b|</abs/x;y.txt>"), ("a=<x.txt", "a|-|-|</abs/x.txt>"),
    ("a=@-", "a|-|application/octet-stream|<->"), ("a=<-;type=a/b", "a|-|a/b|<->"),
    ("a=@x;filename=\"a\\\"b\"", "a|a\"b|application/octet-stream|</abs/x>"),
    // The text after a type is its parameter.
    ("a=b;type=text/html;charset=utf-8", "a|-|text/html;charset=utf-8|b"),
    ("a=b;type=text/html; charset=\"utf-8\" ;filename=n", "a|n|text/html; charset=\"utf-8\"|b"),
    (
      "a=@x.txt;type=text/plain;charset=utf-8;format=flowed",
      "a|x.txt|text/plain;charset=utf-8;format=flowed|</abs/x.txt>"
    ),
    ("a=b;c;type=text/html", "a|-|text/html|b;c"),
  ])
  func forms(text: String, expected: String) throws {
    #expect(words(try part(text)) == expected)
  }

  @Test func furtherHeadersAndPlainTexts() throws {
    #expect(try part("a=b;headers=\"X-A: 1\"").head.headers == [HeaderField("X-A", "1")])
    #expect(words(try FormPart.text("a=@x;type=y")) == "a|-|-|@x;type=y")
  }
}
