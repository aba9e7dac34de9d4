// The name of a target, as the answer and the jobs beside it decide it.

import DrayCore
import DrayStore
import Testing

@testable import DrayKit

@Suite struct TargetNamesTests {
  private static let job = JobID(7)

  private static func failure(_ kind: Failure.Kind, _ recovery: Failure.Recovery = .final) -> Failure {
    Failure(kind, "/d/f", "it", recovery: recovery)
  }

  @Test(
    "a conflict at the name cancels the attempt",
    arguments: [
      (Conflict.none, nil), (.replaces, nil), (.skip, "skipped"), (.refuse(failure(.file)), "refused"),
      (.upToDate, "up to date"),
    ] as [(Conflict, String?)])
  func named(conflict: Conflict, words: String?) throws {
    var names = TargetNames(job: TargetNamesTests.job)
    let head = ResponseHead(status: 200)
    let url = try RequestURL.parse("http://h/f").url
    let reason = names.named(
      "f", conflict, upload: "u", in: "/d", ResponseRecord(finalURL: url, redirects: [], head: head, time: 0))
    #expect(reason?.words == words)
    #expect(names.fixed == "f")
    #expect(names.upload == (words == nil ? "u" : nil))
  }

  /// Columns: the failure, the owner of the target is transferred, the policy, whether the part is bound to its name.
  @Test(
    "a target without a name cancels the attempt",
    arguments: [
      (failure(.file), nil, ConflictPolicy.fail, false, "refused"),
      (failure(.file, .retry), nil, .fail, false, "failed"), (failure(.store), nil, .fail, false, "run fails"),
      (.leaseLost(job), nil, .fail, false, "leaseLost"), (failure(.file), true, .skip, false, "skipped"),
      (failure(.file), true, .overwrite, false, nil), (failure(.file), true, .overwrite, true, "targetBusy"),
      (failure(.file), false, .overwrite, true, "refused"),
    ] as [(Failure, Bool?, ConflictPolicy, Bool, String?)])
  func notNamed(
    failure: Failure, isActive: Bool?, policy: ConflictPolicy, bindsName: Bool, words: String?
  ) throws {
    var (failure, names) = (failure, TargetNames(job: TargetNamesTests.job))
    failure.owner = isActive.map { Failure.TargetOwner(9, isActive: $0) }
    let reason = names.notNamed(failure, policy, bindsName: bindsName)
    #expect(reason?.words == words)
    #expect(names.chosen == (isActive == true && policy == .overwrite ? "f" : nil))
  }
}

extension CancelReason {
  fileprivate var words: String {
    switch self {
    case .end(let end): String("\(end)".prefix { $0 != "(" })
    case .upToDate: "up to date"
    case .runFails: "run fails"
    }
  }
}
