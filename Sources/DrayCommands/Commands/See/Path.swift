// `dray path`: prints the paths of jobs' files.

internal import ArgumentParser
internal import DrayKit
internal import Posix

struct Path: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the paths of the files of jobs.",
    discussion: """
      One absolute path per line: that of the target, whether it exists yet or not; s3://BUCKET/KEY of an object. A name \
      that the server has not given yet is an error.

      EXAMPLES
        ls -l "$(dray path 3)"
        dray path -0 3 4 | xargs -0 sha256sum
      """)

  @Argument(
    help: ArgumentHelp("The jobs, by their ids; g3 is those of a group.", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String]

  @Flag(help: "The part file instead of the target.")
  var part = false

  @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with a zero byte, for `xargs -0`.")
  var null = false

  func execute() async throws -> ExitStatus {
    let manager = try await Store.look()
    var jobs: [Job] = []
    for id in try await JobIDs.expand(ids, manager) { jobs.append(try await JobIDs.job(id, manager)) }
    var status = ExitStatus.success
    for job in jobs {
      do throws(Failure) { ResultOutput.standard.write(try path(job) + (null ? "\0" : "\n")) } catch {
        Messages.print(error)
        status = .other
      }
    }
    return status
  }

  private func path(_ job: Job) throws(Failure) -> String {
    if part {
      if System.isFile(job.partFile) { return job.partFile }
      guard job.specification.place.traits.keepsPartFiles else {
        throw Failure(
          .other, "job \(job.id)", "its target is an object, which has no part file",
          advice: "`dray show \(job.id)` shows its upload")
      }
      throw Failure(.other, "job \(job.id)", "it \(job.state.predicate) and has no part file")
    }
    if let target = job.target { return target }
    throw Failure(
      .other, "job \(job.id)", "the server has not named the file yet",
      advice: "it will be in \(job.specification.directory)")
  }
}
