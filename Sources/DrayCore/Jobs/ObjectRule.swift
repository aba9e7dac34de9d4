// Decides which options a job cannot have because its target is an object, or because its target is a file.

/// The rule for options that belong to one kind of target.
package enum ObjectRule {
  /// Returns the refusal of a job that has an object as its target but options for files only; otherwise `nil`.
  package static func refusal(of job: JobSpecification) -> Failure? {
    guard let place = job.place.object else {
      guard ObjectPlace.isMeant(by: job.directory) else { return nil }
      return Failure(.usage, TextSafety.escaped(job.directory), "this is not a place in an object store")
    }
    func refusal(_ reason: String, _ advice: Advice) -> Failure {
      Failure(.usage, job.path(in: place), reason, advice: advice, recovery: .keep)
    }
    if job.options.adopts != nil {
      return refusal("a file of this machine cannot become an object", "omit \(.adopt)")
    }
    if job.options.repairs != nil { return refusal("objects are not repaired in place", "\(.retry) fetches it again") }
    if let name = job.output, (try? place.appending(name)) == nil {
      return refusal("\(quoted(name)) is not the key of an object", "choose another name with \(.output)")
    }
    return nil
  }

  /// Returns the names of the job's settings that apply to files only.
  package static func ofFiles(_ job: JobSpecification) -> [String] {
    let options = job.options
    return [
      (options.partDirectory != nil, "temp-dir"), (options.partStem != nil, "part-name"),
      (options.recordsOrigin ?? false, "xattr"), (options.inOrder ?? false, "in-order"),
    ].filter(\.0).map(\.1)
  }

  /// Returns the names of the job's settings that apply to objects only.
  package static func ofObjects(_ job: JobSpecification) -> [String] {
    guard let object = job.options.object else { return [] }
    return [
      (object.hasOwnAccess ?? false, "target-profile"), (object.storageClass != nil, "storage-class"),
      (object.encryption != nil, "sse"), (object.cannedACL != nil, "acl"), (object.metadata != nil, "meta"),
      (object.tags != nil, "tag"),
    ].filter(\.0).map(\.1)
  }
}

extension JobSpecification {
  fileprivate func path(in place: ObjectPlace) -> String {
    TextSafety.escaped(output.map { PathText.join(place.path, $0) } ?? place.path)
  }
}
