// Reads the lists that clients of the service send, as `dray add -i` reads files. A list cannot make the service read
// any file of this machine.

internal import ArgumentParser
internal import DrayKit
internal import DrayServer
internal import Posix

enum ServedList {
  /// Returns the jobs that a list describes.
  /// - Parameters:
  ///   - directory: The absolute path of the directory for jobs that name no directory.
  ///   - hosts: The rules for hosts in the configuration.
  /// - Throws: Kind `usage` with the number of the line.
  static func jobs(
    _ bytes: [UInt8], in directory: String, hosts: HostLimits
  ) throws(Failure) -> [ListedJob] {
    let surroundings = blind(in: directory)
    var list = InputList()
    try list.read(bytes, name: "list")
    let (job, request) = try arguments()
    var template = try JobTemplate(job, request, surroundings)
    template.hosts = hosts
    // The service itself decides where clients' files go.
    template.hosts.choosesDirectories = false
    let specifications = try SpecificationList(list, template, job, surroundings, .plain)
    let paused = Set(specifications.paused)
    return specifications.enumerated().map { index, specification in
      ListedJob(specification, isPaused: paused.contains(index))
    }
  }

  private static func arguments() throws(Failure) -> (JobArguments, RequestArguments) {
    do {
      var job = try JobArguments.parse([])
      // No user can be asked, so an existing file stays, and the new one gets another name.
      job.onConflict = .rename
      return (job, try RequestArguments.parse([]))
    } catch {
      throw Failure(.other, "the list", "\(error)")
    }
  }

  /// Returns surroundings that contain no files and no terminal.
  private static func blind(in directory: String) -> Surroundings {
    let refusal = SystemError("read", SystemError.noAccess)
    return Surroundings(
      currentDirectory: directory, environment: [:], kind: { $0 == directory ? .directory : .missing },
      read: { _, _ in .failure(refusal) }, readStandardInput: { _ in .failure(refusal) }, askPassword: { _ in nil })
  }
}
