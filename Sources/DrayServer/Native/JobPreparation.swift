// What the configuration of the service's user adds to jobs of clients.

public import DrayCore

/// Puts what a configuration says into a job that its sender may have.
public struct JobPreparation: Sendable {
  /// What holds for all jobs.
  public var usual: @Sendable (inout JobSpecification) -> Void
  /// What holds for the job's host; it goes before that.
  public var host: @Sendable (inout JobSpecification) -> Void

  /// Makes one of both.
  public init(
    usual: @escaping @Sendable (inout JobSpecification) -> Void,
    host: @escaping @Sendable (inout JobSpecification) -> Void
  ) {
    (self.usual, self.host) = (usual, host)
  }

  /// There is no configuration.
  public static let none = JobPreparation(usual: { _ in }, host: { _ in })
}
