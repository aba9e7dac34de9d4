// Platforms of images: `linux/arm64/v8`.

/// The platform for which an image was made.
package struct ImagePlatform: Sendable, Hashable {
  package var os: String
  package var architecture: String
  /// The version of the architecture; `nil` for the usual one (`v8` of arm64, `v1` of amd64).
  package var variant: String?

  /// Creates a platform in normal form, with the names that images use.
  package init(os: String, architecture: String, variant: String? = nil) {
    var (architecture, variant) = (architecture.lowercased(), variant?.lowercased())
    if let other = ImagePlatform.aliases[architecture] {
      architecture = other.architecture
      variant = variant ?? other.variant
    }
    if architecture == "arm", variant == nil { variant = "v7" }
    if variant?.isEmpty ?? false || variant == ImagePlatform.usual[architecture] { variant = nil }
    let os = os.lowercased()
    self.os = os == "macos" ? "darwin" : os
    (self.architecture, self.variant) = (architecture, variant)
  }

  /// The names of other programs for the architectures.
  private static let aliases: [String: (architecture: String, variant: String?)] = [
    "x86_64": ("amd64", nil), "x86-64": ("amd64", nil), "aarch64": ("arm64", nil), "armhf": ("arm", "v7"),
    "armel": ("arm", "v6"), "i386": ("386", nil), "i686": ("386", nil), "x86": ("386", nil),
  ]
  /// The variants that are not written.
  private static let usual = ["amd64": "v1", "arm64": "v8"]

  /// `linux` and the architecture of this program.
  package static var ofThisMachine: ImagePlatform {
    #if arch(x86_64)
    ImagePlatform(os: "linux", architecture: "amd64")
    #elseif arch(arm64)
    ImagePlatform(os: "linux", architecture: "arm64")
    #elseif arch(arm)
    ImagePlatform(os: "linux", architecture: "arm")
    #elseif arch(i386)
    ImagePlatform(os: "linux", architecture: "386")
    #elseif arch(powerpc64le)
    ImagePlatform(os: "linux", architecture: "ppc64le")
    #elseif arch(s390x)
    ImagePlatform(os: "linux", architecture: "s390x")
    #else
    ImagePlatform(os: "linux", architecture: "riscv64")
    #endif
  }

  /// Reads `os/architecture` or `os/architecture/variant`; `nil` for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3, parts.allSatisfy(ImagePlatform.isWord) else { return nil }
    self.init(os: parts[0], architecture: parts[1], variant: parts.count == 3 ? parts[2] : nil)
  }

  static func isWord(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(ImageName.isPlain)
  }

  package var text: String { "\(os)/\(architecture)" + (variant.map { "/\($0)" } ?? "") }

  /// The number in a variant `vN`.
  private var level: Int? {
    guard let variant = variant ?? ImagePlatform.usual[architecture] else { return 0 }
    return variant.first == "v" ? Int(variant.dropFirst()) : nil
  }

  /// Returns how well an image for `other` runs here: the higher, the better; `nil` if it does not run.
  func rank(of other: ImagePlatform) -> Int? {
    guard other.os == os, other.architecture == architecture else { return nil }
    if other.variant == variant { return .max }
    guard let mine = level, let its = other.level, its <= mine else { return nil }
    return its
  }
}
