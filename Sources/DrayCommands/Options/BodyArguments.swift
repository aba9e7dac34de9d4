// The options for the data to send, which `get` and `add` share: parameters, bodies, methods, and what becomes of them
// after redirects.

internal import ArgumentParser

struct BodyArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Add a parameter to the URL's query, percent-encoded.", discussion: "May be repeated.", valueName: "name=value"))
  var query: [String] = []

  @Option(
    name: [.customShort("X"), .long],
    help: ArgumentHelp(
      "Use this method.",
      discussion: """
        The default is GET, POST with a body, or PUT with -T. Requests other than GET are never repeated automatically: a job that was \
        interrupted after its request was sent waits for `dray resume`.
        """,
      valueName: "method"))
  var request: String?

  @Option(
    help: ArgumentHelp(
      "Send this as a form, unchanged; @FILE is a file without its line breaks, @- standard input.",
      discussion: "Several are joined with &. The order is kept only among options of the same name.",
      valueName: "data"))
  var data: [String] = []

  @Option(help: ArgumentHelp("The same, but @ has no special meaning.", valueName: "data"))
  var dataRaw: [String] = []

  @Option(help: ArgumentHelp("The same as --data, but a file keeps its line breaks.", valueName: "data"))
  var dataBinary: [String] = []

  @Option(
    help: ArgumentHelp(
      "Send this as a form, encoded.",
      discussion: "CONTENT, =CONTENT, NAME=CONTENT, @FILE or NAME@FILE: the content is encoded.",
      valueName: "data"))
  var dataUrlencode: [String] = []

  @Flag(name: [.customShort("G"), .long], help: "Put the --data options into the query of a GET.")
  var get = false

  @Option(
    name: [.customShort("F"), .long],
    help: ArgumentHelp(
      "Send a part of a multipart form.",
      discussion: """
        NAME=TEXT, NAME=@FILE for a file, NAME=<FILE for its text; @- and <- are standard input. It may be followed by \
        ;type=TYPE, ;filename=NAME and ;headers=LINE. May be repeated. Files are streamed, however large.
        """,
      valueName: "name=content"))
  var form: [String] = []

  @Option(help: ArgumentHelp("Send a text as a part of a multipart form, unchanged.", valueName: "name=text"))
  var formString: [String] = []

  @Option(
    help: ArgumentHelp(
      "Send JSON, checked for syntax; @FILE is a file, @- standard input.", valueName: "json"))
  var jsonBody: String?

  @Option(
    help: ArgumentHelp(
      "Send a property list, checked for syntax; @FILE is a file, @- standard input.", valueName: "plist"))
  var plistBody: String?

  @Option(
    name: [.customShort("T"), .long],
    help: ArgumentHelp(
      "Send this file with PUT; - is standard input.",
      discussion: "If the URL ends with / and has no query, the name of the file is added.", valueName: "file"),
    completion: .file())
  var uploadFile: String?

  @Flag(help: "Keep POST after a 301.")
  var post301 = false

  @Flag(help: "Keep POST after a 302.")
  var post302 = false

  @Flag(help: "Keep POST after a 303.")
  var post303 = false
}
