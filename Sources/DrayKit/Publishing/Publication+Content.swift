// Checks the content before it is published: whether it is the requested file.

internal import DrayEngine

extension Publication {
  /// What is odd about the file, for people to know; `nil` if nothing is. Blocks.
  /// - Throws: kind `integrity` where it is not of the type that it must be.
  func oddity(of specification: JobSpecification, named name: String? = nil, _ head: ResponseHead?) throws(Failure)
    -> String?
  {
    let check = ContentCheck(
      names: [FileName.fromURLPath(specification.request.url.path), name].compactMap(\.self),
      expected: specification.options.expectedType, head: head)
    let length = check.lookLength
    guard length > 0 || check.expected != nil else { return nil }
    switch check.verdict(try start(length)) {
    case .fine: return nil
    case .odd(let what): return what
    case .wrong(let what):
      throw Failure(
        .integrity, specification.request.url.description, what,
        advice: "see the body with \(.getToStandardOutput) and without \(.expectType); it may be a login page")
    }
  }
}
