// pylock.toml and uv.lock: which files are chosen, and what is wrong with others.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Lock files of Python")
struct PythonLockTests {
  private static let hex = String(repeating: "ab", count: 32)
  private static let linux = WheelMachine(system: .glibc, architecture: "x86_64")

  private static let pylock = """
    # made by a program
    lock-version = "1.0"
    created-by = "x"

    [[packages]]
    name = "alpha"
    version = "1.0"
    marker = "python_version > '3'"
    wheels = [
      { name = "alpha-1.0-py3-none-any.whl", url = "https://h.example/a/alpha-1.0-py3-none-any.whl", size = 9, upload-time = 2024-01-02T03:04:05Z, hashes = { md5 = "0123456789abcdef0123456789abcdef", sha256 = "\(hex)" } },
    ]
    [packages.sdist]
    url = "https://h.example/alpha-1.0.tar.gz"
    hashes = { sha256 = "\(hex)" }

    [[packages]]
    name = "beta"
    version = "2"
    [[packages.wheels]]
    url = "https://h.example/beta-2-cp312-cp312-win_amd64.whl"
    hashes = { sha256 = "\(hex)" }
    [[packages.wheels]]
    url = "https://h.example/beta-2-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    hashes = { sha256 = "\(hex)" }
    [[packages.wheels]]
    url = "https://h.example/beta-2-cp313-cp313-musllinux_1_2_x86_64.whl"
    hashes = { sha256 = "\(hex)" }

    [[packages]]
    name = "gamma"
    archive = { url = "https://h.example/gamma.zip", hashes = { sha512 = "\(hex)\(hex)" } }

    [[packages]]
    name = "delta"
    directory = { path = "." }

    [[packages]]
    name = "epsilon"
    version = "3"
    sdist = { path = "eps-3.tar.gz", hashes = { sha256 = "\(hex)" } }
    """

  @Test("wheels that fit, a source only without them, archives")
  func pylock() throws {
    let list = try PythonLock.pylock(Array(Self.pylock.utf8), Self.linux)
    #expect(
      list.files.map(\.name) == [
        "alpha-1.0-py3-none-any.whl", "beta-2-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", "gamma.zip",
      ])
    #expect(list.files[0].size == 9 && list.files[0].digest?.algorithm == .sha256)
    #expect(list.files[2].digest?.algorithm == .sha512)
    #expect(
      list.remarks == [
        "\"delta\" is a directory of its author: left out",
        "eps-3.tar.gz is on the machine of its author: left out",
        "2 wheels for other machines than Linux on x86_64 are left out",
        "markers are not evaluated: packages of all environments are taken",
      ])
    let musl = try PythonLock.pylock(
      Array(Self.pylock.utf8), WheelMachine(system: .musl, architecture: "x86_64"))
    #expect(musl.files[1].name == "beta-2-cp313-cp313-musllinux_1_2_x86_64.whl")
    let other = try PythonLock.pylock(Array(Self.pylock.utf8), WheelMachine(system: .macOS, architecture: "arm64"))
    #expect(other.files.count == 2)
    #expect(other.remarks.contains("\"beta\" 2 has no wheel for macOS on arm64, and no source: left out"))
  }

  @Test("uv.lock: registries and direct URLs; the project itself and repositories are left out")
  func uvLock() throws {
    let list = try PythonLock.uvLock(
      Array(
        """
        version = 1
        revision = 5
        requires-python = ">=3.8"

        [[package]]
        name = "alpha"
        version = "1.0"
        source = { registry = "https://i.example/simple/" }
        sdist = { url = "https://h.example/alpha-1.0.tar.gz", hash = "sha256:\(Self.hex)", size = 7, upload-time = "2024-01-02T03:04:05Z" }

        [[package]]
        name = "beta"
        version = "2.0"
        source = { url = "https://h.example/beta-2.0.tar.gz" }
        sdist = { hash = "sha256:\(Self.hex)" }

        [[package]]
        name = "gamma"
        version = "2.0"
        source = { git = "https://h.example/g.git" }

        [[package]]
        name = "proj"
        version = "0.1"
        source = { editable = "." }

        [[package]]
        name = "delta"
        version = "1"
        source = { registry = "wheels" }
        wheels = [{ path = "delta-1-py3-none-any.whl" }]
        """.utf8), Self.linux)
    #expect(list.files.map(\.name) == ["alpha-1.0.tar.gz", "beta-2.0.tar.gz"])
    #expect(list.files.map { $0.digest?.hex } == [Self.hex, Self.hex] && list.files[0].size == 7)
    #expect(
      list.remarks == [
        "\"gamma\" 2.0 is a repository of git: left out",
        "delta-1-py3-none-any.whl is on the machine of its author: left out",
      ])
  }

  @Test(
    "errors, with the line of the package",
    arguments: [
      ("lock-version = \"2.0\"\n", nil, "may need a newer dray"), ("lock-version = \n", 1, "not TOML"),
      ("lock-version = \"1.0\"\n[[packages]]\nversion = \"1\"\n", 2, "has no name"),
      (
        "lock-version = \"1.0\"\n\n[[packages]]\nname = \"a\"\narchive = { url = \"https://h.example/a\" }", 3,
        "has no hashes"
      ),
      (
        package("url = \"https://h.example/a-1-py3-none-any.whl\", hashes = { sha256 = \"12\" }"), 3,
        "sha-256 digest has 64"
      ),
      (
        package("url = \"https://h.example/a-1-py3-none-any.whl\", hashes = { blake3 = \"12\" }"), 3,
        "no digest of a known"
      ),
      (
        package("url = \"smb://h.example/a-1-py3-none-any.whl\", hashes = { sha256 = \"12\" }"), 3,
        "not a URL that can be"
      ),
      (
        package("url = \"https://h.example/a\", name = \"../a.whl\", hashes = { sha256 = \"\(hex)\" }"), 3,
        "not a plain one"
      ),
      (
        package("url = \"https://h.example/a\", name = \"b/a.whl\", hashes = { sha256 = \"\(hex)\" }"), 3,
        "not a plain one"
      ),
      (package("url = \"https://h.example/a.whl\", size = -1, hashes = { sha256 = \"\(hex)\" }"), 3, "number of bytes"),
    ] as [(String, Int?, String)])
  func wrong(_ text: String, _ line: Int?, _ says: String) throws {
    let error = try #require(throws: DocumentError.self) { try PythonLock.pylock(Array(text.utf8), Self.linux) }
    #expect(error.line == line && error.reason.contains(says), "\(error)")
  }

  private static func package(_ wheel: String) -> String {
    "lock-version = \"1.0\"\n\n[[packages]]\nname = \"a\"\nwheels = [{ \(wheel) }]\n"
  }

  @Test("uv's mistakes")
  func wrongUV() throws {
    for (text, says) in [
      ("version = 2\nrequires-python = \"x\"\n", "its version is not 1"),
      ("version = 1\n[[package]]\nname = \"a\"\n", "has no source"),
      ("version = 1\n[[package]]\nname = \"a\"\nsource = \"registry+https://h.example\"\n", "must be a table"),
    ] {
      let error = try #require(throws: DocumentError.self) { try PythonLock.uvLock(Array(text.utf8), Self.linux) }
      #expect(error.reason.contains(says), "\(error)")
    }
  }
}
