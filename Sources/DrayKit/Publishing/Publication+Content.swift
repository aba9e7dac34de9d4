// Checks before the publish that the content is the requested file.

internal import DrayEngine

extension Publication {
  /// Returns whether the content is as expected, odd (with a note for people), or a page instead of the requested file.
  /// The call blocks the calling thread.
  /// - Parameter name: The name of the target, if it has one already.
  /// - Throws: Kind `integrity` if the content has the wrong type.
  func content(
    of specification: JobSpecification, named name: String? = nil, _ head: ResponseHead?
  ) throws(Failure) -> ContentCheck.Verdict {
    let options = specification.options
    let urlName = FileName.fromURLPath(specification.request.url.path)
    // A file with the required digest is certainly the requested one; so is a file that was repaired block by block.
    let isProved = options.digest != nil || options.repairs != nil
    // The URL of an upload names the body that was sent, not the answer (H17).
    let isNamed = SubmissionRule.urlNamesAnswer(to: specification.request)
    let check = ContentCheck(
      names: isNamed ? [urlName, name].compactMap(\.self) : [],
      asked: isProved || !isNamed
        ? [] : ContentCheck.asked(output: specification.output, urlName: urlName, fixedName: name, head),
      expected: options.expectedType, allowed: options.allowedTypes ?? [], head: head)
    let verdict = check.verdict(try start(check.lookLength))
    if case .wrong(let what) = verdict {
      throw Failure(
        .integrity, specification.request.url.description, what,
        advice: "see the body with \(.getToStandardOutput) and without \(.expectType); it may be a login page")
    }
    return verdict
  }

  /// Saves a page that arrived in place of the file `name`, under a free name that shows what it is. The call blocks
  /// the calling thread.
  /// - Parameter isTarget: Returns whether a name is the target of an unfinished job (N8).
  /// - Returns: The failure of the job, with the path of the page; `nil` if the run ended during the search for a name.
  func keepAside(
    _ name: String, _ what: String, _ specification: JobSpecification, isHalted: () -> Bool,
    _ isTarget: (String) async throws(Failure) -> Bool
  ) async -> Failure? {
    do throws(Failure) {
      try part.sync()
      for number in 0..<NameSearch.limit(in: part.destination) {
        if number > 0, part.destination.traits.asksServer, isHalted() { return nil }
        let aside = FileName.instead(of: name, number)
        guard try await !isTarget(aside) else { continue }
        if case .done = try await part.destination.publish(part.publishable, as: aside, .nothing) {
          let path = PathText.join(part.destination.path, aside)
          return .pageInstead(specification.request.url, "\(what), and was kept as \(path)")
        }
      }
      return .pageInstead(specification.request.url, "\(what), and could not be kept: no name for it is free")
    } catch {
      if error.isUploadStopped { return nil }
      return .pageInstead(specification.request.url, "\(what), and could not be kept: \(error.reason)")
    }
  }
}

extension Failure {
  /// The failure of a job whose server sent a page instead of the file.
  static func pageInstead(_ url: RequestURL, _ what: String) -> Failure {
    Failure(
      .integrity, url.description, what,
      advice: "it may be a page to log in: see what it asks for; \(.allowPages) accepts a page")
  }
}
