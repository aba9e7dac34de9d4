// A source by a program: `[source.NAME]` in the owner's configuration.

package import DrayCore
package import DrayDocuments

/// A source that asks a program of the owner.
package struct ProgramSource: NamedSource {
  /// The program.
  package let program: SourceProgram
  /// The variables from which the program's own are chosen. The variables in the client's places are for tokens that
  /// dray sends. `SourceRule.allows` has decided whether the program may run at all.
  let environment: [String: String]

  /// Creates the source of a program's names.
  package init(_ program: SourceProgram) { self.init(program, environment: TokenPlaces.user.environment) }

  init(_ program: SourceProgram, environment: [String: String]) {
    (self.program, self.environment) = (program, environment)
  }

  package var scheme: String { program.scheme }
  package var isProgram: Bool { true }
  package var about: SourceAbout {
    SourceAbout(["\(scheme):NAME"], "what \(program.printableName) finds, a program of the configuration")
  }

  package func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    guard !name.rest.isEmpty else {
      throw Failure(.usage, name.shown, "nothing follows the colon", advice: "write \(scheme):NAME")
    }
    return try await ask(ProgramRequest.find(name), name)
  }

  package func renew(_ link: ExpiredLink, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let request = ProgramRequest.renew(link.name, link.reference, url: link.url, status: link.status)
    let answer = try await ask(request, link.name)
    let path = link.reference.path
    guard answer.entries.contains(where: { $0.path == path }) else {
      let known = answer.entries.count == 1 ? "1 other file" : "\(answer.entries.count) other files"
      throw Failure(
        .protocolViolation, ProgramSource.shown(link.name),
        "\(program.printableName) gave no new link of \(TextSafety.escaped(path)), but \(known)", recovery: .keep)
    }
    return answer
  }

  private func ask(_ request: [UInt8], _ name: SourceName) async throws(Failure) -> SourceAnswer {
    let run = await program.run(request, environment: environment)
    return try ProgramSource.answer(of: run, program, name)
  }

  /// Returns what a run of the program means.
  static func answer(
    of run: SourceProgram.Run, _ program: SourceProgram, _ name: SourceName
  ) throws(Failure) -> SourceAnswer {
    let mark = "[source.\(program.scheme)]"
    func failure(_ reason: String, _ kind: Failure.Kind = .other, _ advice: Advice? = nil) -> Failure {
      Failure(kind, shown(name), "\(program.printableName) \(reason)", advice: advice, recovery: .keep)
    }
    if case .notStarted(let reason) = run.ending {
      throw failure("did not run: \(reason)", .usage, "check command in \(mark)")
    }
    guard !run.isCut else {
      throw failure("wrote more than \(SourceProgram.outputLimit >> 20) MiB, and was stopped", .protocolViolation)
    }
    if case .timedOut(let seconds) = run.ending {
      throw failure(
        "took more than \(TimeSpan.text(seconds)), and was stopped", .other, "timeout in \(mark) sets the limit"
      ).recovering(.retry)
    }
    var problem: DocumentError?
    var parsed: ProgramAnswer?
    do throws(DocumentError) { parsed = try ProgramAnswer.parse(run.output, of: name) } catch { problem = error }
    // The program's own words explain more than its exit status.
    if case .refusal(let refusal)? = parsed {
      throw Failure(
        .other, shown(name), refusal.reason, advice: refusal.advice.map { Advice($0) },
        recovery: refusal.isTemporary ? .retry : .keep)
    }
    guard run.ending == .exited(0) else { throw failure(words(run.ending) + words(run.remarks)) }
    guard case .files(var answer)? = parsed else {
      let reason = problem.map(\.description) ?? "it is empty"
      throw failure(
        "gave an answer that cannot be used: \(reason)", .protocolViolation, "docs/sources.md describes the form")
    }
    guard !answer.entries.isEmpty else { throw failure("gave no file" + words(run.remarks)) }
    answer.remarks = run.remarks + answer.remarks
    return answer
  }

  private static func words(_ ending: HookReport.Ending) -> String {
    switch ending {
    case .exited(let status): "ended with exit status \(status)"
    case .signalled(let number): "was ended by signal \(number)"
    case .timedOut, .notStarted: "failed"
    }
  }

  /// Returns the last lines of the program's messages.
  private static func words(_ remarks: [String]) -> String {
    remarks.isEmpty ? "" : ": " + remarks.suffix(3).joined(separator: " | ").start(500)
  }

  /// The name without secrets: a name may contain a URL.
  private static func shown(_ name: SourceName) -> String {
    name.shown.start(300)
  }
}

extension SourceProgram {
  var printableName: String { TextSafety.escaped(name.start(100)) }
}
