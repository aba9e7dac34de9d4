// The names of Python's packages: wheels (`NAME-VERSION-PYTHON-ABI-PLATFORM.whl`) and source archives.

internal import DrayCore

/// The machine for which wheels are chosen.
package struct WheelMachine: Sendable, Equatable {
  package enum System: Sendable, Equatable {
    /// Linux with the GNU C library.
    case glibc
    case musl
    case macOS
  }

  package var system: System
  /// As in the names of wheels: `x86_64`, `aarch64`; on macOS `arm64`.
  package var architecture: String

  package init(system: System, architecture: String) {
    (self.system, self.architecture) = (system, architecture)
  }

  /// The machine for which this program was built.
  package static let current: WheelMachine = {
    #if os(macOS)
    let system = System.macOS
    #elseif canImport(Musl)
    let system = System.musl
    #else
    let system = System.glibc
    #endif
    #if arch(x86_64)
    let architecture = "x86_64"
    #elseif arch(arm64)
    let architecture = system == .macOS ? "arm64" : "aarch64"
    #elseif arch(arm)
    let architecture = "armv7l"
    #elseif arch(powerpc64le)
    let architecture = "ppc64le"
    #elseif arch(s390x)
    let architecture = "s390x"
    #elseif arch(riscv64)
    let architecture = "riscv64"
    #else
    let architecture = "unknown"
    #endif
    return WheelMachine(system: system, architecture: architecture)
  }()

  /// For remarks: `Linux on x86_64`.
  var words: String {
    switch system {
    case .glibc: "Linux on \(architecture)"
    case .musl: "Linux with musl on \(architecture)"
    case .macOS: "macOS on \(architecture)"
    }
  }

  /// Whether a machine of this kind can have a platform tag. The versions of the system in it are not compared: dray
  /// may fetch for another machine of the same kind.
  func takes(platform tag: some StringProtocol) -> Bool {
    if tag == "any" { return true }
    switch system {
    case .glibc: return (tag.hasPrefix("manylinux") || tag.hasPrefix("linux_")) && tag.hasSuffix("_\(architecture)")
    case .musl: return (tag.hasPrefix("musllinux_") || tag.hasPrefix("linux_")) && tag.hasSuffix("_\(architecture)")
    case .macOS:
      guard tag.hasPrefix("macosx_") else { return false }
      return tag.hasSuffix("_\(architecture)") || tag.hasSuffix("_universal2")
        || architecture == "x86_64" && (tag.hasSuffix("_intel") || tag.hasSuffix("_universal"))
    }
  }
}

/// The parts of a wheel's name.
struct WheelName: Equatable {
  var project: String
  var version: String
  var python: [Substring]
  var platforms: [Substring]

  /// `nil` for a name that is not a wheel's.
  init?(_ file: String) {
    guard file.hasSuffix(".whl") else { return nil }
    let parts = file.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
    // A build number may follow the version.
    guard parts.count == 5 || parts.count == 6, !parts.contains(where: \.isEmpty) else { return nil }
    (project, version) = (String(parts[0]), String(parts[1]))
    python = parts[parts.count - 3].split(separator: ".")
    platforms = parts[parts.count - 1].split(separator: ".")
  }

  /// Whether the wheel is for Python 3 (any, or CPython of any version) on such a machine.
  func fits(_ machine: WheelMachine) -> Bool {
    python.contains { $0.hasPrefix("py3") || $0.hasPrefix("cp3") } && platforms.contains { machine.takes(platform: $0) }
  }

  /// The version of CPython that the wheel needs; `nil` if it is for several.
  var interpreter: Substring? { python.count == 1 && python[0].hasPrefix("cp3") ? python[0] : nil }
}

/// A file of a project: a wheel, or its source.
enum PackageName {
  /// Whether the name is that of a source archive, which must be built before it is used.
  static func isSource(_ file: String) -> Bool {
    [".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz"].contains(where: file.hasSuffix)
  }

  /// The form in which indexes compare the names of projects.
  static func normal(_ project: some StringProtocol) -> String {
    var result = ""
    for scalar in project.lowercased().unicodeScalars {
      let isMark = scalar == "-" || scalar == "_" || scalar == "."
      if !isMark { result.unicodeScalars.append(scalar) } else if result.last != "-" { result += "-" }
    }
    return result
  }

  /// Whether a text can be the name of a project.
  static func isProject(_ text: some StringProtocol) -> Bool {
    let text = String(text)
    guard let first = text.utf8.first, let last = text.utf8.last, text.utf8.count <= 200 else { return false }
    func isPlain(_ byte: UInt8) -> Bool { ListText.isDigit(byte) || ListText.isLetter(byte) }
    return isPlain(first) && isPlain(last) && text.utf8.allSatisfy { isPlain($0) || "-_.".utf8.contains($0) }
  }

  /// Returns the version in the name of a project's file; `nil` if the file is not one of the project.
  static func version(of file: String, project: String) -> String? {
    let normal = normal(project)
    if let wheel = WheelName(file) { return self.normal(wheel.project) == normal ? wheel.version : nil }
    guard isSource(file) else { return nil }
    let suffix = [".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz"].first(where: file.hasSuffix) ?? ""
    let stem = file.dropLast(suffix.count)
    // Names of old source archives may have dashes, and so may versions.
    for index in stem.indices where stem[index] == "-" && self.normal(stem[..<index]) == normal {
      let version = stem[stem.index(after: index)...]
      if !version.isEmpty { return String(version) }
    }
    return nil
  }
}

/// Chooses the files of one version that a machine needs.
enum WheelChoice {
  /// The wheels that fit; without any, the source archives.
  static func choose<File>(_ files: [File], _ machine: WheelMachine, name: (File) -> String) -> [File] {
    let fits = files.filter { WheelName(name($0))?.fits(machine) ?? false }
    return fits.isEmpty ? files.filter { PackageName.isSource(name($0)) } : fits
  }
}
