// `dray desktop-open`: takes what a desktop hands to dray: links `web+dray:URL` of web pages, and Metalink files.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix
internal import Synchronization

struct DesktopOpen: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "desktop-open", abstract: "Take links and Metalink files from the desktop.",
    discussion: """
      The desktop starts this command for links web+dray:URL and for Metalink files. A link may be on any web page, so \
      nothing is queued until the user has said yes to a notification.
      """, shouldDisplay: false)

  @Argument(help: ArgumentHelp("A link or a Metalink file.", valueName: "item"), completion: .file())
  var items: [String]

  /// The seconds to wait for an answer.
  private static let patience = 120.0

  func execute() async throws -> ExitStatus {
    var status = ExitStatus.success
    for item in items {
      do {
        try await DesktopLink.isLink(item) ? follow(item) : queue(item)
      } catch let failure as Failure {
        // Nobody sees the standard error of a program that the desktop started.
        if DesktopNotice.isPossible(ProcessVariables.all) {
          _ = await DesktopNotice.show("dray cannot take this", failure.description)
        }
        Messages.print(failure.description)
        status = failure.exitStatus
      }
    }
    return status
  }

  // MARK: Links

  private func follow(_ link: String) async throws {
    let shown = TextSafety.escaped(URLRedaction.redactingURLs(in: link)).start(300)
    let url: RequestURL
    do throws(BrowserProblem) { url = try DesktopLink.url(link) } catch {
      throw Failure(.usage, shown, error.message)
    }
    let address = URLRedaction.redacted(url.string)
    guard DesktopNotice.isPossible(ProcessVariables.all) else {
      throw Failure(.usage, shown, "nobody can be asked whether to fetch it", advice: "use `dray add URL`")
    }
    // Show the host first, because a user can judge it best.
    let answer = await DesktopNotice.show(
      "Download from \(url.host)?", "A link asks dray to fetch \(address.start(300))", action: ("add", "Download"),
      timeout: Self.patience)
    guard answer.isShown else {
      throw Failure(
        .usage, shown, "the question whether to fetch it could not be shown", advice: "install notify-send 0.8 or newer"
      )
    }
    guard answer.isClicked else { return }
    let (isAdded, text) = try await added(url)
    _ = await DesktopNotice.show(isAdded ? "Added to dray" : "dray did not take the link", text)
  }

  /// Adds a URL as dray's extension would: it is judged as a client's (P22).
  private func added(_ url: RequestURL) async throws -> (isAdded: Bool, text: String) {
    let host = try BrowserHostCommand.parse([]).host(Surroundings.real())
    let message = BrowserMessage(DesktopLink.message(adding: url), now: System.secondsSince1970)
    let said = Mutex<[UInt8]>([])
    await host.answer([message]) { answer in said.withLock { $0 = answer.bytes } }
    let node = try JSONNode.parse(said.withLock(\.self), kind: "an answer")
    let isAdded = node["ok"]?.value == .bool(true)
    let parts = isAdded ? ["output", "message"] : ["message", "advice"]
    return (isAdded, parts.compactMap { node[$0]?.string }.joined(separator: ": "))
  }

  // MARK: Files

  /// Queues the files of a Metalink file, which the user has opened.
  private func queue(_ file: String) async throws {
    let surroundings = try Surroundings.real()
    let path = surroundings.absolute(file)
    let (_, directory) = try BrowserHostCommand.parse([]).place(surroundings)
    let words = ["-q", "--dir", directory, "--metalink-file", path]
    let command = try CommandContext.current.reads?(["add"] + words) ?? Add.parseAsRoot(words)
    guard let add = command as? Add else { return }
    let admissions = try await add.queue(in: Store.open) { _ in }
    let note = BrowserHostCommand.start(
      try Store.open(), try Store.user().home, CommandContext.current.globals.words)
    let count = admissions.count == 1 ? "1 file" : "\(admissions.count) files"
    _ = await DesktopNotice.show(
      "Added to dray", [count + " into " + directory, note].compactMap(\.self).joined(separator: ": "))
  }
}
