// Shared ownership of an engine: by its manager, and by each run, which may outlast the manager.

internal import DrayEngine

/// Keeps an engine running until the last owner releases this object.
final class EngineHold: Sendable {
  let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  deinit { engine.stop() }
}
