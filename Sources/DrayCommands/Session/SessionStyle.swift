internal import DrayKit
internal import TerminalUI

/// What a session prints, as the options and the terminal decide.
struct SessionStyle: Sendable {
  var progress: ProgressStyle
  var quiet: Bool
  var verbose: Bool
  var profile: TerminalProfile
  /// Whether the path of each completed file is printed on standard output.
  var printsPaths: Bool
  /// Directories whose files are used through links elsewhere. Their own paths are not printed.
  var hiddenDirectories: Set<String> = []
  /// Whether the user is told where the first file is, because the program that reads standard output may expect the
  /// file itself.
  var explainsPipe = false

  /// Decides from the options, from the environment, and from what standard error and standard output are connected to.
  /// - Parameter printsPaths: Whether the command prints paths if standard output is not a terminal.
  init(_ arguments: DisplayArguments, environment: [String: String] = ProcessVariables.all, printsPaths: Bool = false) {
    profile = TerminalProfile.detect(isTTY: TerminalDevice.isTTY(2), environment: environment)
    quiet = arguments.quiet
    verbose = arguments.verbose && !arguments.quiet
    progress = SessionStyle.resolve(arguments, profile)
    // The table of results that aria2c prints already names the paths.
    let prints = arguments.printPath || printsPaths && !TerminalDevice.isTTY(1) && AriaResults.current == nil
    self.printsPaths = progress != .json && prints
  }

  /// Creates the style for a command that has no options about the display.
  init(quiet: Bool, environment: [String: String] = ProcessVariables.all) {
    profile = TerminalProfile.detect(isTTY: TerminalDevice.isTTY(2), environment: environment)
    (self.quiet, verbose, printsPaths) = (quiet, false, false)
    progress = quiet ? .none : profile.isInteractive ? .bars : .plain
  }

  /// Returns this style without the paths in a pipe: a program there, such as `sh`, would take the paths for the file.
  /// - Parameter isPipe: Whether standard output is a pipe, and the user has not asked for the paths.
  func sparingPipe(_ isPipe: Bool) -> SessionStyle {
    guard isPipe, printsPaths else { return self }
    var style = self
    (style.printsPaths, style.explainsPipe) = (false, !quiet)
    return style
  }

  /// Decides what `auto` and `-q` mean for the progress. Where bars are impossible, plain lines replace them.
  static func resolve(_ arguments: DisplayArguments, _ profile: TerminalProfile) -> ProgressStyle {
    switch arguments.progress {
    case .json, .none: arguments.progress
    case .auto, .bars, .plain:
      arguments.quiet
        ? .none : profile.isInteractive && arguments.progress != .plain ? .bars : .plain
    }
  }

  /// Whether to print a completed file's path.
  func isKnown(_ path: String) -> Bool {
    hiddenDirectories.isEmpty || !hiddenDirectories.contains(PathText.split(path).directory ?? "")
  }

  func makeView() -> any SessionView {
    switch progress {
    case .bars: BarsView(profile: profile)
    case .json: JSONView(.standard)
    case .plain, .auto: if AriaResults.current == nil { PlainView() } else { AriaView() }
    case .none: SilentView()
    }
  }
}
