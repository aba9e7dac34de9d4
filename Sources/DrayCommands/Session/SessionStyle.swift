internal import DrayKit
internal import TerminalUI

/// What a session prints, decided from the options and the terminal.
struct SessionStyle: Sendable {
  var progress: ProgressStyle
  var quiet: Bool
  var verbose: Bool
  var profile: TerminalProfile
  /// Whether the path of each completed file is printed on standard output.
  var printsPaths: Bool
  /// Whether to say where the first file is, because the program that reads standard output may expect the file.
  var explainsPipe = false

  /// Decides from the options, the environment, and the types of standard error and output.
  /// - Parameter printsPaths: Whether paths are printed unless standard output is a terminal.
  init(_ arguments: DisplayArguments, environment: [String: String] = ProcessVariables.all, printsPaths: Bool = false) {
    profile = TerminalProfile.detect(isTTY: TerminalDevice.isTTY(2), environment: environment)
    quiet = arguments.quiet
    verbose = arguments.verbose && !arguments.quiet
    progress = SessionStyle.resolve(arguments, profile)
    // aria2c's table of results names the paths.
    let prints = arguments.printPath || printsPaths && !TerminalDevice.isTTY(1) && AriaResults.current == nil
    self.printsPaths = progress != .json && prints
  }

  /// Creates the style for a command without such options.
  init(quiet: Bool, environment: [String: String] = ProcessVariables.all) {
    profile = TerminalProfile.detect(isTTY: TerminalDevice.isTTY(2), environment: environment)
    (self.quiet, verbose, printsPaths) = (quiet, false, false)
    progress = quiet ? .none : profile.isInteractive ? .bars : .plain
  }

  /// Returns this style without paths in a pipe: a program there, such as `sh`, would take them for the file.
  /// - Parameter isPipe: Whether standard output is a pipe, and the user does not ask for the paths.
  func sparingPipe(_ isPipe: Bool) -> SessionStyle {
    guard isPipe, printsPaths else { return self }
    var style = self
    (style.printsPaths, style.explainsPipe) = (false, !quiet)
    return style
  }

  /// Resolves `auto` and `-q`. Bars become plain lines where bars are impossible.
  static func resolve(_ arguments: DisplayArguments, _ profile: TerminalProfile) -> ProgressStyle {
    switch arguments.progress {
    case .json, .none: arguments.progress
    case .auto, .bars, .plain:
      arguments.quiet
        ? .none : profile.isInteractive && arguments.progress != .plain ? .bars : .plain
    }
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
