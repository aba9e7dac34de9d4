// Looks up the names of one call, or of one manifest.

package import DrayCore
package import DrayDocuments

/// Looks up the names of one call: each once, and at most a given number.
///
/// A small call may have thousands of names, and each of them may stand for a million files (P13).
package struct NameQuestions: Sendable {
  private struct Question: Hashable {
    var name: String
    var choices: SourceChoices
  }

  /// The sources to query.
  package let sources: NamedSources
  private let rule: SourceRule
  private let mostNames: Int
  private let mostFiles: Int
  private let connect: @Sendable (SourceChoices) async throws(Failure) -> any SourceClient
  private var clients: [SourceChoices: any SourceClient] = [:]
  private var answers: [Question: SourceAnswer] = [:]
  private var asked = 0
  private var files = 0

  /// - Parameters:
  ///   - rule: The rule for who asks.
  ///   - mostNames: The maximum number of questions.
  ///   - mostFiles: The maximum number of files of all names together.
  ///   - connect: Returns the client for the queries. It is called for the first query with these choices.
  package init(
    _ sources: NamedSources, for rule: SourceRule, mostNames: Int = .max, mostFiles: Int = .max,
    _ connect: @escaping @Sendable (SourceChoices) async throws(Failure) -> any SourceClient
  ) {
    (self.sources, self.rule, self.connect) = (sources, rule, connect)
    (self.mostNames, self.mostFiles) = (mostNames, mostFiles)
  }

  /// Finds the files of a name, or returns the answer to the same question.
  /// - Throws: As ``NamedSources/find(_:_:for:)``; kind `usage` for one question too many.
  package mutating func find(
    _ name: SourceName, _ choices: SourceChoices = SourceChoices()
  ) async throws(Failure) -> SourceAnswer {
    let question = Question(name: name.text, choices: choices)
    if let known = answers[question] { return known }
    guard asked < mostNames else {
      throw Failure(.usage, name.shown, "one call asks for at most \(mostNames) names", advice: "send them in parts")
    }
    asked += 1
    let found: any SourceClient
    if let client = clients[choices] { found = client } else { found = try await connect(choices) }
    clients[choices] = found
    let answer = try await sources.find(name, found, for: rule)
    if answer.entries.count <= mostFiles { answers[question] = answer }
    return answer
  }

  /// Counts files that are wanted of a name.
  /// - Throws: Kind `usage` for too many.
  package mutating func take(_ count: Int, of name: SourceName) throws(Failure) {
    files += count
    guard files <= mostFiles else {
      throw Failure(
        .usage, name.shown, "these are \(files) files, and one call has at most \(mostFiles)",
        advice: "send them in parts")
    }
  }
}
