// `dray help sources`: the names that can be used in place of URLs, and the documents that describe files.

internal import DrayKit

struct SourceHelp {
  let layout: HelpLayout
  let sources: NamedSources

  static let topic = "sources"

  var lines: [String] {
    var lines = ["Sources: files by name", ""]
    lines += layout.wrapped(
      "A name stands for the files that its source has. get, add and info take it in place of a URL, and so do lists "
        + "(-i), manifests of sync, and the page of serve.")
    lines.append("")
    for row in sources.rows {
      lines += row.about.forms.map { "  " + $0 }
      lines += layout.wrapped(TextSafety.escaped(row.about.summary) + ".", indent: 6)
      if let tokens = row.about.tokens { lines += layout.wrapped("Tokens: \(TextSafety.escaped(tokens)).", indent: 6) }
    }
    if sources.rows.isEmpty { lines += layout.wrapped("There are none yet.", indent: 2) }
    lines += layout.entry("  others", "a program finds the files: [source.NAME] in the configuration", column: 16)
    lines +=
      [""]
      + layout.wrapped(
        "The web addresses of such files count as names, too; --no-names fetches the page itself.")
    lines +=
      [""]
      + layout.wrapped(
        "dray info NAME lists the files with sizes. --include and --exclude select some by their paths. The files go below -d "
          + "under these paths. Again, the same command fetches what is new or has changed in the source, and says what is up "
          + "to date. A link that expires in the middle is asked for again, and the bytes stay.")
    lines += ["", "Documents that describe files:"]
    for document in SourceDocument.all {
      lines += layout.entry("  " + document.name, "\(document.given): \(document.recognised)", column: 16)
    }
    return lines + [
      "", "EXAMPLES", "  dray info hf:org/model", "  dray get -d models --include '*.safetensors' hf:org/model@main",
    ]
  }
}
