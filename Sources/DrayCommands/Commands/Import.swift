// `dray import`: what other programs keep.

internal import ArgumentParser

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take over what another program keeps.",
    subcommands: [ImportAria2.self])
}
