// The files of an image or a model, in the directory where another program looks for them.

internal import DrayDocuments
internal import DrayKit

extension SourceInput {
  /// Adds the files of an image. Without -d, a model goes where its program looks.
  func addImage(
    _ answer: SourceAnswer, of name: SourceName, _ own: LineOptions, _ line: Int32, _ arguments: JobArguments,
    to list: inout InputList
  ) throws(Failure) {
    let text = name.shown
    guard own.out == nil, own.patternName == nil, own.adopts == nil, arguments.output == nil else {
      throw OptionValue.bad(text, "its files are named by their digests: omit the name", advice: "choose with -d")
    }
    // A directory in the configuration is the one for downloads, not that of another program.
    let typed = CommandContext.current.configured.contains("dir") ? nil : arguments.dir
    let chosen = own.dir ?? typed ?? answer.directory
    let directory = chosen.map { surroundings.withoutParents(surroundings.absolute($0)) } ?? template.place.directory
    let group = answer.entries.count < 2 ? nil : JobGroup(source: name.text, directory: directory)
    for entry in answer.entries {
      var one = own
      (one.name, one.group, one.dir) = (nil, group, directory)
      one.source = answer.reference(to: entry, of: name)
      try list.append(entry.file, to: one, keepsName: true, line: line, place: text)
    }
  }
}
