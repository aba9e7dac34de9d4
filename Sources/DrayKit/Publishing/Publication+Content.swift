// Checks the content before it is published: whether it is the requested file.

internal import DrayEngine

extension Publication {
  /// What the content says of the file: that it is fine, odd for people to know, or a page in the place of what was asked for. Blocks.
  /// - Parameter name: that of the target, if there is one.
  /// - Throws: kind `integrity` where it is not of the type that it must be.
  func content(
    of specification: JobSpecification, named name: String? = nil, _ head: ResponseHead?
  ) throws(Failure) -> ContentCheck.Verdict {
    let options = specification.options
    let urlName = FileName.fromURLPath(specification.request.url.path)
    // What has the digest that it must have is what was asked for, and so is what is repaired by its blocks.
    let isProved = options.digest != nil || options.repairs != nil
    // The URL of an upload names what was sent, not its answer (H17).
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

  /// Gives a page that came in the place of the file `name` a name that says so, and that nothing else has. Blocks.
  /// - Returns: the failure of the job, which says where the page is.
  func keepAside(_ name: String, _ what: String, _ specification: JobSpecification) -> Failure {
    do throws(Failure) {
      try part.sync()
      var number = 0
      while true {
        let aside = FileName.instead(of: name, number)
        if case .done = try part.destination.publish(part, as: aside, .nothing) {
          let path = PathText.join(part.destination.path, aside)
          return .pageInstead(specification.request.url, "\(what), and was kept as \(path)")
        }
        number += 1
      }
    } catch {
      return .pageInstead(specification.request.url, "\(what), and could not be kept: \(error.reason)")
    }
  }
}

extension Failure {
  /// A page came in the place of the file.
  static func pageInstead(_ url: RequestURL, _ what: String) -> Failure {
    Failure(
      .integrity, url.description, what,
      advice: "it may be a page to log in: see what it asks for; \(.allowPages) accepts a page")
  }
}
