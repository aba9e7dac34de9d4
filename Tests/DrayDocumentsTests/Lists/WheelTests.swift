// Names of wheels and source archives, and the order of versions.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Names of Python's packages")
struct WheelTests {
  @Test(
    "which machines a wheel fits",
    arguments: [
      ("a-1-py3-none-any.whl", true, true, true, true), ("a-1-py2.py3-none-any.whl", true, true, true, true),
      ("a-1-py2-none-any.whl", false, false, false, false),
      ("a-1-pp310-pypy310_pp73-any.whl", false, false, false, false),
      ("a-1-cp312-cp312-manylinux_2_28_x86_64.whl", true, false, false, false),
      ("a-1-cp37-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64.whl", false, true, false, false),
      ("a-1-2-cp313-cp313t-musllinux_1_2_x86_64.whl", false, false, true, false),
      ("a-1-cp39-cp39-linux_x86_64.whl", true, false, true, false),
      ("a-1-cp39-cp39-macosx_11_0_arm64.whl", false, false, false, true),
      ("a-1-cp39-cp39-macosx_10_9_universal2.whl", false, false, false, true),
      ("a-1-cp39-cp39-win_amd64.whl", false, false, false, false),
      ("a-1-py3-none-manylinux2014_i686.whl", false, false, false, false),
    ])
  func fits(_ name: String, _ intel: Bool, _ arm: Bool, _ musl: Bool, _ mac: Bool) throws {
    let wheel = try #require(WheelName(name))
    #expect(wheel.fits(WheelMachine(system: .glibc, architecture: "x86_64")) == intel)
    #expect(wheel.fits(WheelMachine(system: .glibc, architecture: "aarch64")) == arm)
    #expect(wheel.fits(WheelMachine(system: .musl, architecture: "x86_64")) == musl)
    #expect(wheel.fits(WheelMachine(system: .macOS, architecture: "arm64")) == mac)
  }

  @Test(
    "the version in a name",
    arguments: [
      ("my_pkg-1.0-py3-none-any.whl", "1.0"), ("My.Pkg-1.0.tar.gz", "1.0"), ("my-pkg-1.0-1.zip", "1.0-1"),
      ("my_pkg-1.0.exe", nil), ("my_pkg_extra-1.0.tar.gz", nil), ("my_pkg-.tar.gz", nil), ("a-b-c.whl", nil),
      ("my_pkg.tar.gz", nil),
    ] as [(String, String?)])
  func version(_ name: String, _ version: String?) {
    #expect(PackageName.version(of: name, project: "my-pkg") == version)
  }

  @Test("versions in their order")
  func order() throws {
    let ordered = [
      "0.9", "1.0.dev1", "1.0a1.dev2", "1.0a1", "1.0a2", "1.0b1", "1.0rc1", "1.0", "1.0+a", "1.0+a.2", "1.0+1",
      "1.0.post1.dev1", "1.0.post1", "1.0.1", "1.2", "1.10", "2024.1", "1!0.1",
    ].map { PythonVersion($0) }
    let versions = ordered.compactMap(\.self)
    #expect(versions.count == ordered.count)
    for (index, version) in versions.enumerated() {
      #expect(versions[..<index].allSatisfy { $0 < version } && versions[(index + 1)...].allSatisfy { $0 > version })
    }
    for (one, other) in [
      ("1.0", "1"), ("v1.0.0", "1"), ("1.0-1", "1.post1"), ("1.0ALPHA1", "1a1"), ("1.0-rc.1", "1rc1"),
    ] {
      #expect(PythonVersion(one) == PythonVersion(other) && PythonVersion(one) != nil)
    }
    for text in ["", "a", "1.", "1.0x", "1..0", "1!", "2004d", "99999999999999999999", "1+", "1.0 "] {
      #expect(PythonVersion(text) == nil, "\(text)")
    }
    #expect(["1a1", "1.dev0", "1rc1"].allSatisfy { PythonVersion($0)?.isPreRelease == true })
    #expect(["1", "1.post1"].allSatisfy { PythonVersion($0)?.isPreRelease == false })
  }
}
