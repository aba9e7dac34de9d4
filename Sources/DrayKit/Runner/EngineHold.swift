// Who needs an engine: its manager, and each run, which may outlast that.

internal import DrayEngine

/// Keeps an engine running; when nobody holds it any more, it is stopped.
final class EngineHold: Sendable {
  let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  deinit { engine.stop() }
}
