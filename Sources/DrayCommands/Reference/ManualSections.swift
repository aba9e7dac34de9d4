// Which written section is on which page. A page of a command has what stands here under its name; a command without an
// entry has a page all the same.

internal import DrayWire

enum ManualSections {
  typealias Section = (title: String, body: String)

  /// The sections of a page of section 1, by its name.
  static func of(_ page: String) -> [Section] { written[page] ?? [] }

  /// The pages for which something is written here.
  static var pages: [String] { written.keys.sorted() }

  private static let written: [String: [Section]] = [
    "dray": [
      ("THE QUEUE", ManualText.queue), ("RESUMING", ManualText.resuming), ("DURABILITY", ManualText.durability),
      ("ENVIRONMENT", ManualText.environment), ("FILES", ManualText.files), ("EXIT STATUS", ManualText.exitStatus),
      ("EXAMPLES", ManualText.examples), ("SEE ALSO", ManualText.seeAlso),
    ],
    "dray-get": [
      ("PATTERNS IN URLS", ManualHabits.patterns), ("ADOPTING", ManualAdopting.text),
      ("VERIFYING", ManualVerifying.text), ("CONNECTIONS", ManualText.connections), ("SENDING", ManualBodies.text),
      ("SCHEMES", ManualSchemes.text), ("AUTHENTICATION AND COOKIES", ManualCredentials.text),
      ("MIRRORS AND METALINK", ManualDocuments.mirrors), ("DIRECTORIES", ManualDocuments.directories),
      ("HOOKS", ManualConfiguration.hooks),
      ("OPTIONS OF OTHER PROGRAMS", ManualHabits.text),
    ],
    "dray-curl": [("LINES OF CURL", ManualHabits.curl)],
    "dray-import": [("FILES OF ARIA2", ManualHabits.aria2)],
    "dray-set": [("SETTINGS OF JOBS", ManualSettings.text)],
    "dray-feed": [("FEEDS", ManualDocuments.feeds)],
    "dray-serve": [
      ("WHO MAY ASK", ManualServing.access), ("CLIENTS OF ARIA2", ManualServing.clients),
      ("RUNNING", ManualServing.running),
    ],
    "dray-cookies": [("JSON", ManualCredentials.json)],
  ]

  /// Pages that are not about one command.
  struct Page {
    var name: String
    var section: Int
    var line: String
    var description: String
    var sections: [Section]
    var seeAlso: String
  }

  static let others = [
    Page(
      name: "dray-config", section: 5, line: "configuration of dray", description: ManualConfiguration.text,
      sections: [
        ("HOSTS", ManualConfiguration.hostSections), ("INVALID VALUES", ManualConfiguration.errors),
        ("FILES", ManualConfiguration.files),
      ],
      seeAlso: "dray(1), dray-config(1), dray-get(1)"),
    Page(
      name: "dray-formats", section: 7, line: "what dray reads and writes: lists, manifests, catalogs, JSON",
      description: """
        Lists of URLs, manifests and catalogs are documents that dray reads; objects and events of JSON are what it writes \
        for other programs.
        """,
      sections: [
        ("LISTS", ManualText.lists), ("MANIFESTS", ManualDocuments.manifests), ("CATALOGS", ManualDocuments.catalogs),
        ("JSON", FormatReference.text),
      ],
      seeAlso: """
        dray(1), dray-add(1), dray-sync(1), dray-catalog(1), dray-list(1), dray-watch(1), dray-config(5)
        """),
  ]
}
