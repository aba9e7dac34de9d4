// The options for images, which `get`, `add` and `info` share.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit

struct ImageArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Of the images of a name, fetch the one for this platform (default: this machine's).",
      discussion: """
        linux/amd64, linux/arm64, linux/arm/v6. For names with oci:, most of which stand for an image for each platform.
        """, valueName: "os/arch[/variant]"))
  var platform: String?

  /// The user's choices for names.
  /// - Throws: Kind `usage`.
  func choices() throws(Failure) -> SourceChoices {
    guard let platform else { return SourceChoices() }
    guard let parsed = ImagePlatform(platform) else {
      throw OptionValue.bad(
        "--platform", "\(OptionValue.quote(platform)) is not a platform", advice: "write it as linux/arm64")
    }
    return SourceChoices(platform: parsed)
  }
}
