// When a run keeps the machine awake.

import DrayCore
import Testing

@Suite struct AwakeRuleTests {
  /// A look at a run, and the expected answer.
  struct Look: Sendable {
    var now: Double
    var progress: Int64
    var isAwake: Bool
    var hasJobs = true
    var isWorking = false
  }

  private func check(_ looks: [Look]) {
    var rule = AwakeRule()
    for look in looks {
      let isAwake = rule.look(look.progress, hasJobs: look.hasJobs, isWorking: look.isWorking, now: look.now)
      #expect(isAwake == look.isAwake && rule.isAwake == look.isAwake, "\(look)")
    }
  }

  @Test("from a second after the first byte until nothing has moved for a while")
  func moves() {
    check([
      Look(now: 0, progress: 0, isAwake: false), Look(now: 0.2, progress: 9, isAwake: false),
      Look(now: 1, progress: 10, isAwake: false), Look(now: 1.5, progress: 11, isAwake: true),
      Look(now: 6, progress: 11, isAwake: true), Look(now: 7, progress: 11, isAwake: false),
      Look(now: 8, progress: 12, isAwake: false), Look(now: 9, progress: 13, isAwake: true),
    ])
  }

  @Test("not for a short run, and not for jobs that wait")
  func short() {
    check([
      Look(now: 0, progress: 0, isAwake: false), Look(now: 0.2, progress: 9, isAwake: false),
      Look(now: 0.4, progress: 9, isAwake: false, hasJobs: false), Look(now: 2, progress: 9, isAwake: false),
      Look(now: 60, progress: 9, isAwake: false),
    ])
  }

  @Test("not once the last job has ended, at once")
  func ends() {
    check([
      Look(now: 0, progress: 0, isAwake: false), Look(now: 1, progress: 5, isAwake: false),
      Look(now: 2, progress: 6, isAwake: true), Look(now: 2.2, progress: 7, isAwake: false, hasJobs: false),
    ])
  }

  @Test("also while a complete file is checked or copied")
  func works() {
    check([
      Look(now: 0, progress: 5, isAwake: false, isWorking: true),
      Look(now: 1, progress: 5, isAwake: true, isWorking: true),
      Look(now: 60, progress: 5, isAwake: true, isWorking: true), Look(now: 66, progress: 5, isAwake: false),
    ])
  }
}
