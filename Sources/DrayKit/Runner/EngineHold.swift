// Who needs an engine: its manager, and each run, which may outlast that.

internal import DrayEngine

/// Keeps an engine running; when nobody holds it any more, it is stopped.
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
