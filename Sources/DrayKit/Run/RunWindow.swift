// The window of a run: the times at which the run transfers jobs. Jobs may have separate windows.

struct RunWindow: Sendable {
  /// `nil` is always open.
  let window: TransferWindow?
  private let zone: LocalZone

  init(_ window: TransferWindow?, zone: LocalZone) { (self.window, self.zone) = (window, zone) }

  /// The run's or the job's window; `nil` if both are open.
  func closed(for job: Job, at now: Double) -> TransferWindow? {
    if let window, !window.isOpen(at: now, zone: zone) { return window }
    guard let own = job.specification.window, !own.isOpen(at: now, zone: zone) else { return nil }
    return own
  }

  func isOpen(at now: Double) -> Bool { window?.isOpen(at: now, zone: zone) ?? true }

  /// `nil` while the window is open.
  func opening(at now: Double) -> Double? {
    isOpen(at: now) ? nil : window?.opening(at: now, zone: zone)
  }
}

extension RunOptions {
  /// The window for all runs, otherwise this run's own.
  func currentWindow(_ setting: String?) -> TransferWindow? {
    guard let setting else { return window }
    do throws(SettingProblem) {
      return try SettingForm<TransferWindow?>.window.value(of: setting)
    } catch {
      return window
    }
  }
}
