// `dray catalog`: shows the contents of a catalog.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import DrayWire
internal import TerminalUI

struct CatalogCommand: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Show the services of a catalog, or the versions of one service.",
    discussion: """
      The highest version comes first. `dray get --catalog` fetches one; dray-formats(7) describes the format of catalogs.

      EXAMPLES
        dray catalog https://example.org/catalog.json
        dray catalog catalog.json kernel
      """)

  @Argument(help: ArgumentHelp("The catalog.", valueName: "url|file"), completion: .file(extensions: ["json"]))
  var catalog: String

  @Argument(help: ArgumentHelp("Show the versions of this service.", valueName: "name"))
  var service: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup(title: "Request options") var request: RequestArguments

  func checkSettings(_ surroundings: Surroundings) throws {
    try request.checkSettings(surroundings)
  }

  func execute() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    let source = try await CatalogSource.load(catalog, try RequestTemplate(request, surroundings), surroundings)
    var services = source.catalog.services
    if let service {
      let found = try source.find(service).service
      services.removeAll { $0.name != found }
    }
    if json { writeJSON(services) } else { writeTable(services) }
    return .success
  }

  private func writeTable(_ services: [Catalog.Service]) {
    let isTTY = TerminalDevice.isTTY(1)
    let profile = TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all)
    let columns = [
      TextTable.Column("NAME", minimum: 4), TextTable.Column("VERSION", minimum: 7),
      TextTable.Column("SIZE", isRightAligned: true, minimum: 4),
      TextTable.Column(service == nil ? "DESCRIPTION" : "URL", minimum: 11, cut: .end),
    ]
    let rows = services.flatMap { one in
      one.versions.prefix(service == nil ? 1 : .max).map { version, file in
        [
          TextTable.Cell(TextSafety.escaped(one.name)), TextTable.Cell(TextSafety.escaped(version)),
          TextTable.Cell(file.size.map(ByteText.size) ?? ""),
          TextTable.Cell(
            TextSafety.escaped(service == nil ? one.description ?? "" : file.urls.first?.description ?? "")),
        ]
      }
    }
    TextTable(columns, width: isTTY ? TerminalDevice.size(1).columns : nil, profile: profile)
      .write(rows) { ResultOutput.standard.write($0) }
  }

  private func writeJSON(_ services: [Catalog.Service]) {
    var json = JSONText()
    json.beginArray()
    for one in services {
      for (version, file) in one.versions {
        DocumentJSON.write(version, file, of: one, to: &json)
      }
    }
    json.endArray()
    json.endLine()
    ResultOutput.standard.write(json)
  }
}
