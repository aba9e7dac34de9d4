// Who needs an engine: its manager, and each run, which may outlast that.

internal import DrayEngine

/// Keeps an engine running; the last one who lets go of it stops it.
final class EngineHold: Sendable {
  let engine: Engine
  private let stopped: @Sendable () -> Void

  /// - Parameter stopped: called when the engine was stopped.
  init(_ engine: Engine, stopped: @escaping @Sendable () -> Void) { (self.engine, self.stopped) = (engine, stopped) }

  deinit {
    engine.stop()
    stopped()
  }
}
