// Lists of Python's packages and packages by name, against pypiserver; pip and uv install from the directory without a
// network. `scripts/setup.sh test` installs the three from PyPI in a separate place.

import FaultServer
import Foundation
import TestSupport
import Testing

/// pypiserver, pip and uv.
enum PythonPackages {
  /// The directory of the programs: `DRAY_PYPI`, otherwise the place that `scripts/setup.sh` uses.
  static let programs: String? = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/root") + "/.cache"
    let path = environment["DRAY_PYPI"] ?? cache + "/dray-pypi/bin"
    return ["pypi-server", "uv", "pip", "python"].allSatisfy { access("\(path)/\($0)", X_OK) == 0 } ? path : nil
  }()

  /// Writes two wheels and a list of them, as `pip download` and `uv export` make them.
  static let script = """
    import base64, hashlib, sys, zipfile
    def wheel(name, version, tag, needs=""):
        path = f"{sys.argv[1]}/{name}-{version}-{tag}.whl"
        info = f"{name}-{version}.dist-info"
        files = {
            f"{name}.py": f"version = '{version}'\\n" * 20000,
            f"{info}/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n" + needs,
            f"{info}/WHEEL": f"Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: {tag}\\n",
        }
        rows = [f"{info}/RECORD,,"]
        for file, text in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            rows.append(f"{file},sha256={digest},{len(text)}")
        files[f"{info}/RECORD"] = "\\n".join(rows) + "\\n"
        with zipfile.ZipFile(path, "w") as archive:
            for file, text in files.items():
                archive.writestr(file, text)
        print(hashlib.sha256(open(path, "rb").read()).hexdigest())
    wheel("alpha", "1.0", "py3-none-any", "Requires-Dist: beta\\n")
    wheel("beta", "2.0", "py3-none-any")
    wheel("beta", "2.1rc1", "py3-none-any")
    wheel("beta", "2.0", "cp312-cp312-win_amd64")
    """
}

extension Need {
  static let pypi = Need("pypi", "scripts/setup.sh test installs pypiserver and uv from PyPI") {
    PythonPackages.programs != nil
  }
}

@Suite("Python's packages", .needs(.pypi))
struct PackageListTests {
  /// An index with four wheels, and their digests.
  private struct Index {
    let port: Int
    let digests: [String]
    let programs: String
    var url: String { "http://127.0.0.1:\(port)/simple/" }

    init(in sandbox: Sandbox) async throws {
      programs = try #require(PythonPackages.programs)
      let packages = sandbox.root + "/user/packages"
      try FileManager.default.createDirectory(atPath: packages, withIntermediateDirectories: true)
      let made = try await sandbox.launch(programs + "/python", ["-c", PythonPackages.script, packages]).finish()
      expect(made, exits: 0)
      digests = made.output.split(separator: "\n").map(String.init)
      let port = try LocalPort.free()
      self.port = port
      let server = try sandbox.launch(
        programs + "/pypi-server", ["run", "-p", "\(port)", "-i", "127.0.0.1", "--disable-fallback", packages])
      try await server.wait(for: "pypiserver", seconds: 120, every: 0.1) { LocalPort.isListening(port) }
    }
  }

  private func dray(_ sandbox: Sandbox, _ index: Index, _ arguments: String...) async throws -> Finished {
    try await sandbox.start(arguments) { $0.environment["PIP_INDEX_URL"] = index.url }.finish()
  }

  @Test("a requirements.txt with digests and a direct URL: pip and uv install from the directory alone")
  func requirements() async throws {
    try await Sandbox.use { sandbox in
      let index = try await Index(in: sandbox)
      let list = """
        alpha==1.0 \\
            --hash=sha256:\(index.digests[0])
        beta @ http://127.0.0.1:\(index.port)/packages/beta-2.0-py3-none-any.whl \\
            --hash=sha256:\(index.digests[1])
            # via alpha

        """
      try sandbox.write(list, to: "requirements.txt")
      expect(try await dray(sandbox, index, "get", "-i", "requirements.txt", "-d", "wheels"), exits: 0)
      let names: Set = ["alpha-1.0-py3-none-any.whl", "beta-2.0-py3-none-any.whl"]
      #expect(sandbox.names(in: sandbox.path("wheels")) == names)
      let offline = ["--no-index", "--find-links", "wheels", "--target"]
      let pip =
        ["install", "--quiet", "--disable-pip-version-check", "--no-cache-dir"] + offline + ["by-pip", "alpha"]
      expect(try await sandbox.launch(index.programs + "/pip", pip).finish(seconds: 120), exits: 0)
      let uv =
        ["pip", "install", "--offline", "--no-cache", "--python", index.programs + "/python"]
        + offline + ["by-uv", "alpha"]
      expect(try await sandbox.launch(index.programs + "/uv", uv).finish(seconds: 120), exits: 0)
      for place in ["by-pip", "by-uv"] {
        #expect(sandbox.names(in: sandbox.path(place)).isSuperset(of: ["alpha.py", "beta.py"]), "\(place)")
      }
    }
  }

  @Test("by name: the newest release that fits, a pattern for others; a digest in a list that no file has stops all")
  func names() async throws {
    try await Sandbox.use { sandbox in
      let index = try await Index(in: sandbox)
      expect(try await dray(sandbox, index, "get", "pypi:beta"), exits: 0)
      #expect(sandbox.names() == ["beta-2.0-py3-none-any.whl"])
      expect(try await dray(sandbox, index, "get", "pypi:beta==2.0/*win*", "pypi:beta==2.1rc1"), exits: 0)
      #expect(
        sandbox.names() == [
          "beta-2.0-py3-none-any.whl", "beta-2.0-cp312-cp312-win_amd64.whl", "beta-2.1rc1-py3-none-any.whl",
        ])
      expect(try await dray(sandbox, index, "get", "pypi:gamma"), exits: 8, saying: "has no such package")
      try sandbox.write("alpha==1.0 --hash=sha256:\(index.digests[1])\n", to: "requirements.txt")
      expect(
        try await dray(sandbox, index, "get", "requirements.txt"), exits: 2, saying: "one of the digests in the list")
    }
  }

  @Test("uv's lock file and what pip exports from it are lists of the same files")
  func locks() async throws {
    try await Sandbox.use { sandbox in
      let index = try await Index(in: sandbox)
      let project = sandbox.root + "/user/project"
      try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
      let text =
        "[project]\nname = \"proj\"\nversion = \"0.1\"\nrequires-python = \">=3.8\"\ndependencies = [\"alpha\"]\n"
      try text.write(toFile: project + "/pyproject.toml", atomically: true, encoding: .utf8)
      func uv(_ words: String...) async throws -> Finished {
        let common = ["--no-cache", "--python", index.programs + "/python", "--default-index", index.url]
        return try await sandbox.launch(index.programs + "/uv", words + common) { $0.directory = project }
          .finish(seconds: 120)
      }
      expect(try await uv("lock"), exits: 0)
      expect(try await uv("export", "--format", "pylock.toml", "-o", "pylock.toml"), exits: 0)
      for (file, place) in [("uv.lock", "a"), ("pylock.toml", "b")] {
        expect(try await sandbox.dray("get", "\(project)/\(file)", "-d", place), exits: 0)
        #expect(
          sandbox.names(in: sandbox.path(place)) == ["alpha-1.0-py3-none-any.whl", "beta-2.0-py3-none-any.whl"])
      }
    }
  }
}

@Suite("Lists of other programs")
struct ForeignListTests {
  private static let one = FaultServer.Version.named("a", size: 30_000), two = FaultServer.Version.named("b", size: 500)

  private static func serve(_ server: FaultServer) {
    (server["/x/one"], server["/x/two"]) = (.init(one), .init(two))
  }

  @Test("a bag is completed in place, and a file that its manifest does not prove is refused")
  func bag() async throws {
    try await Sandbox.use { sandbox in
      Self.serve(sandbox.server)
      let text = "\(sandbox.server.url("/x/one")) 30000 data/d/one file\n\(sandbox.server.url("/x/two")) - data/two\n"
      try sandbox.write(text, to: "fetch.txt")
      let digest = Sandbox.sha256(Self.one.content)
      try sandbox.write("\(digest)  data/d/one file\n\(digest)  data/two\n", to: "manifest-sha256.txt")
      let finished = try await sandbox.dray("get", "-i", "fetch.txt")
      expect(finished, exits: 9, saying: "the bag's manifest")
      #expect(Self.one.content.difference(fromFileAt: sandbox.path("data/d/one file")) == nil)
      #expect(!sandbox.names(in: sandbox.path("data")).contains("two"))
    }
  }

  @Test("lists of apt and conda under -i, as operands and on standard input")
  func others() async throws {
    try await Sandbox.use { sandbox in
      Self.serve(sandbox.server)
      let (one, two) = (Sandbox.sha256(Self.one.content), Sandbox.sha256(Self.two.content))
      try sandbox.write("Reading...\n'\(sandbox.server.url("/x/one"))' a_1%3a2.deb 30000 SHA256:\(one)\n", to: "apt")
      expect(try await sandbox.dray("get", "apt"), exits: 0)
      #expect(Self.one.content.difference(fromFileAt: sandbox.path("a_1%3a2.deb")) == nil)
      expect(
        try await sandbox.dray(
          "get", "-i", "-", "-d", "conda", input: "@EXPLICIT\n\(sandbox.server.url("/x/two"))#sha256:\(two)\n"),
        exits: 0)
      #expect(Self.two.content.difference(fromFileAt: sandbox.path("conda/two")) == nil)
      try sandbox.write("@EXPLICIT\n\(sandbox.server.url("/x/two"))#12\n", to: "bad")
      expect(
        try await sandbox.dray("get", "-i", "bad"), exits: 2, saying: "bad:2: this is not an @EXPLICIT list of conda")
    }
  }
}
