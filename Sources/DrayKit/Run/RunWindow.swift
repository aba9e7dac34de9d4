// The window of a run: the times at which it transfers jobs. Jobs may have windows of their own.

struct RunWindow: Sendable {
  /// The window; `nil` if it is always open.
  let window: TransferWindow?
  private let zone: LocalZone

  init(_ window: TransferWindow?, zone: LocalZone) { (self.window, self.zone) = (window, zone) }

  /// Returns the window that is closed, either that of the run or that of the job; `nil` if both are open.
  func closed(for job: Job, at now: Double) -> TransferWindow? {
    if let window, !window.isOpen(at: now, zone: zone) { return window }
    guard let own = job.specification.window, !own.isOpen(at: now, zone: zone) else { return nil }
    return own
  }

  func isOpen(at now: Double) -> Bool { window?.isOpen(at: now, zone: zone) ?? true }

  /// Returns when the window opens; `nil` if it is open.
  func opening(at now: Double) -> Double? {
    isOpen(at: now) ? nil : window?.opening(at: now, zone: zone)
  }
}

extension RunOptions {
  /// Returns the window that was set for all runs, or else that of this run.
  func currentWindow(_ setting: String?) -> TransferWindow? {
    guard let setting else { return window }
    do throws(SettingProblem) {
      return try SettingForm<TransferWindow?>.window.value(of: setting)
    } catch {
      return window
    }
  }
}
