// requirements.txt: pinned names with digests, direct URLs, options, and the lines of errors.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Requirements")
struct RequirementsTests {
  private static let one = String(repeating: "01", count: 32), two = String(repeating: "02", count: 32)

  private func read(_ text: String) throws -> FileList { try RequirementsList.parse(Array(text.utf8)) }

  @Test("what uv and pip-compile write: names with digests on continued lines, and direct URLs")
  func compiled() throws {
    let list = try read(
      """
      # made by a program
      Alpha_B[x,y]==1.0 \\
          --hash=sha256:\(Self.one) \\
          --hash=sha256:\(Self.two)
          # via proj
      beta @ https://h.example/p/beta-2.0-py3-none-any.whl \\
          --hash=sha256:\(Self.two)
      gamma==3 ; sys_platform == "win32"  # only there
      delta@https://h.example/delta-1.tar.gz#egg=delta&sha256=\(Self.one)

      """)
    let names = try list.names.map { try PyPIName(String($0.dropFirst(5))) }
    #expect(names.map(\.project) == ["alpha-b", "gamma"] && names.map(\.version) == ["1.0", "3"])
    let digests = try [Self.one, Self.two].map { try DigestValue.parse($0) }
    #expect(digests.allSatisfy { names[0].takes([$0]) } && !names[0].takes([]) && names[1].takes([]))
    #expect(!names[0].takes([DigestValue(.sha256, bytes: Array(repeating: 3, count: 32))]))
    #expect(list.files.map(\.name) == ["beta-2.0-py3-none-any.whl", "delta-1.tar.gz"])
    #expect(list.files.map { $0.digest?.hex } == [Self.two, Self.one])
    #expect(list.files.allSatisfy { $0.digestSource == RequirementsList.source })
    #expect(list.remarks == ["markers are not evaluated: packages of all environments are taken"])
    guard case .name(_, let line) = list.items.last else { return #expect(Bool(false)) }
    #expect(line == 8)
  }

  @Test("indexes go with the names; what is on the author's machine is left out and told")
  func options() throws {
    let list = try read(
      """
      --index-url=https://i.example/a&b%20c/simple
      --extra-index-url https://e.example/whl/
      --require-hashes
      -e ./here
      -f /wheels
      ./local.whl
      x @ git+https://h.example/x@main
      y===1.0.dev3+local
      https://h.example/z-1-py3-none-any.whl --hash=sha512:\(Self.one)\(Self.two)
      """)
    let name = try PyPIName(String(try #require(list.names.first).dropFirst(5)))
    #expect(name.version == "1.0.dev3+local")
    #expect(name.indexes.map(\.url.string) == ["https://i.example/a&b%20c/simple/", "https://e.example/whl/"])
    #expect(name.indexes.map(\.isExtra) == [false, true])
    #expect(list.files.first?.digest?.algorithm == .sha512)
    #expect(
      list.remarks == [
        "line 4: \"./here\" is a source tree: left out", "line 5: -f \"/wheels\" is not used",
        "line 6: \"./local.whl\" is on the machine of its author: left out",
        "line 7: \"git+https://h.example/x@main\" is a repository: left out",
      ])
  }

  @Test(
    "errors name the line",
    arguments: [
      ("a==1\nb>=2\n", 2, "\"b\" has no exact version"), ("a==1\nb\n", 2, "no exact version"),
      ("a==1.*\n", 1, "no exact version"), ("a==1,<2\n", 1, "no exact version"), ("a==\n", 1, "no exact version"),
      ("a==1\n\n-r base.txt\n", 3, "is another list"), ("a==1\n--frobnicate\n", 2, "is not an option of pip"),
      ("a==1\n-i\n", 2, "-i has no value"), ("a==1\n-i ftp://h.example/\n", 2, "is not the http URL"),
      ("a==1\n-i https://u:secretword@h.example/\n", 2, "without a password"),
      ("a==1 \\\n --hash=sha256:12\n", 1, "--hash: a sha-256 digest has 64"), ("a==1 --hash=sha256\n", 1, "--hash"),
      ("a==1 --hash=md5:0123456789abcdef0123456789abcdef\n", 1, "--hash takes sha256"),
      ("a @ https://h.example/a#sha256=1\n", 1, "the digest in the URL"),
      ("a @ https://${HOST}/a\n", 1, "has a variable of the environment"),
      ("a @ smb://h.example/a\n", 1, "is not a URL that can be used"),
      ("a @ https://h.example/a --hash=sha256:\(one) --hash=sha256:\(two)\n", 1, "several digests for the one file"),
      ("a==1\n_b==2\n", 2, ""), ("a==1\nb-==2\n", 2, "is not the name of a package"),
    ])
  func wrong(_ text: String, _ line: Int, _ says: String) throws {
    do {
      let list = try read(text)
      #expect(says.isEmpty && list.remarks.count == 1)
    } catch let error as DocumentError {
      #expect(error.line == line && error.reason.contains(says) && !error.reason.contains("secretword"), "\(error)")
    }
  }

  @Test("many digests fit in one name, and too many are refused")
  func many() throws {
    func text(_ count: Int) -> String {
      "a==1"
        + (0..<count).map {
          " --hash=sha256:" + DigestValue(.sha256, bytes: Array(repeating: UInt8($0), count: 32)).hex
        }.joined()
    }
    for count in [100, 200] {
      let name = try #require(try read(text(count)).names.first)
      #expect(name.utf8.count <= 4096)
      let read = try PyPIName(String(name.dropFirst(5)))
      #expect(read.takes([DigestValue(.sha256, bytes: Array(repeating: UInt8(count - 1), count: 32))]))
      #expect(!read.takes([DigestValue(.sha256, bytes: Array(repeating: UInt8(count), count: 32))]))
    }
    let error = try #require(throws: DocumentError.self) { try read(text(256)) }
    #expect(error.reason.contains("too many digests: 256"))
  }
}
