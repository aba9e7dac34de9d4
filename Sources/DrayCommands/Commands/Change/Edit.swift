// `dray edit`: opens a job's settings in an editor.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix

internal import struct FoundationEssentials.UUID

struct Edit: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit the settings of a job.",
    discussion: """
      Opens the settings of a job in $VISUAL, $EDITOR or vi, one `key = value` per line, and changes the job as \
      `dray set` would. If a line is wrong, nothing is changed, and you can edit again. Without --reveal, secrets are not \
      written into the file and stay as they are.

      EXAMPLES
        dray edit 3
        dray edit --reveal 3
      """)

  @Argument(help: ArgumentHelp("The job.", valueName: "id"), completion: .custom(JobIDs.complete))
  var id: String

  @Flag(help: "Write secrets into the file as well. Only you can read it.")
  var reveal = false

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    let manager = try await Store.look()
    guard let number = try JobIDs.parse([id]).first else { return .usage }
    let job = try await JobIDs.job(number, manager)
    guard let manager else { return .usage }
    if let objection = ChangeRule.objection(to: JobRevision(job, job.specification)) { throw objection }
    let prerequisites = try await manager.jobs.prerequisites(of: number)
    var specification = job.specification
    specification.after = prerequisites
    let edited = EditedJob(specification, reveals: reveal)
    let path = PathText.join(System.temporaryDirectory, "dray-job-\(number)-\(UUID().uuidString.prefix(8)).txt")
    let heading = "job \(number), \(job.state.rawValue): \(ShownURL.text(job.specification.request.url.string))"
    try Edit.write(edited.text([TextSafety.escaped(heading)]), to: path)
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap { ProcessVariables.all[$0] }.first { !$0.isEmpty } ?? "vi"
    while true {
      let status = try Editor.run(editor, path)
      guard status == 0 else {
        System.remove(path)
        throw Failure(
          .other, TextSafety.escaped(editor), "it ended with exit status \(status), so nothing was changed")
      }
      do throws(Failure) {
        let text = try Edit.read(path)
        let given = try edited.changes(in: text)
        let change = try JobEditing.change(job, given, prerequisites: prerequisites, surroundings)
        let outcomes = try await manager.change([change])
        System.remove(path)
        if !quiet { for line in ChangeReport.lines(outcomes, [change]) { Messages.print(line) } }
        return .success
      } catch {
        Messages.print(error)
        guard Editor.asks("Edit again? [Y/n] ") else {
          Messages.print("nothing was changed; the edited text is in \(path)")
          return error.exitStatus
        }
      }
    }
  }

  private static func write(_ text: String, to path: String) throws(Failure) {
    do throws(SystemError) {
      let file = try System.create(path, mode: 0o600)
      defer { System.close(file) }
      try System.write(text.utf8, to: file)
    } catch {
      throw Failure(.file, path, "it cannot be written: \(error.text)", advice: "set TMPDIR to another directory")
    }
  }

  private static func read(_ path: String) throws(Failure) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try System.read(path, limit: 1 << 20)
    } catch {
      throw Failure(.file, path, "the edited text cannot be read: \(error.text)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.usage, path, "the text is not UTF-8", advice: "save it as UTF-8")
    }
    return text
  }
}
